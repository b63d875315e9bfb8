package dev.idem.jsonl.line.planted;

import dev.idem.jsonl.JsonlLedgerProvider;

/** Breaks a rule, so that the rule is seen to go red. */
public final class LinesThatKnowTheLedger {
    public final Class<?> type = JsonlLedgerProvider.class;
}
