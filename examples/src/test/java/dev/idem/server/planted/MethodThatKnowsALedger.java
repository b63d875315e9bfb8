package dev.idem.server.planted;

import dev.idem.sqlite.SqliteLedgerProvider;

/** Breaks a rule, so that the rule is seen to go red. */
public final class MethodThatKnowsALedger {
    public final Class<?> type = SqliteLedgerProvider.class;
}
