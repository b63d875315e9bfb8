package dev.idem.entry.planted;

import dev.idem.error.IdemException;

/** Breaks a rule, so that the rule is seen to go red. */
public final class EntryThatKnowsErrors {
    public final Class<?> type = IdemException.class;
}
