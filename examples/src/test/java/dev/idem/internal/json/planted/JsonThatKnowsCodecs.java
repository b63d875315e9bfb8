package dev.idem.internal.json.planted;

import dev.idem.internal.codec.Codecs;

/** Breaks a rule, so that the rule is seen to go red. */
public final class JsonThatKnowsCodecs {
    public final Class<?> type = Codecs.class;
}
