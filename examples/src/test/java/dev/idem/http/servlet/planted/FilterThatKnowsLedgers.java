package dev.idem.http.servlet.planted;

import dev.idem.spi.Ledger;

/** Breaks a rule, so that the rule is seen to go red. */
public final class FilterThatKnowsLedgers {
    public final Class<?> type = Ledger.class;
}
