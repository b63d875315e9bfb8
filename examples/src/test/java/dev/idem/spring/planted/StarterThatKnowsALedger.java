package dev.idem.spring.planted;

import dev.idem.sqlite.SqliteLedgerProvider;

/** Breaks a rule, so that the rule is seen to go red. */
public final class StarterThatKnowsALedger {
    public final Class<?> type = SqliteLedgerProvider.class;
}
