package dev.idem.server.console.planted;

import dev.idem.server.Api;

/** Breaks a rule, so that the rule is seen to go red. */
public final class FilesThatKnowTheApi {
    public final Class<?> type = Api.class;
}
