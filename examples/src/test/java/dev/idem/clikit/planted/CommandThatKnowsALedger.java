package dev.idem.clikit.planted;

import dev.idem.sqlite.SqliteLedger;

/** Breaks a rule, so that the rule is seen to go red. */
public final class CommandThatKnowsALedger {
    public final Class<?> type = SqliteLedger.class;
}
