package dev.idem.http.client.planted;

import dev.idem.spi.Ledger;

/** Breaks a rule, so that the rule is seen to go red. */
public final class ClientThatKnowsALedger {
    public final Class<?> type = Ledger.class;
}
