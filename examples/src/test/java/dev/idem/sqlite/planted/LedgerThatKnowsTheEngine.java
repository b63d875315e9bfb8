package dev.idem.sqlite.planted;

import dev.idem.Idem;

/** Breaks a rule, so that the rule is seen to go red. */
public final class LedgerThatKnowsTheEngine {
    public final Class<?> type = Idem.class;
}
