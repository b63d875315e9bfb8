package dev.idem.jsonl;

/** The content of a line of a ledger file, after the header. */
sealed interface Line permits RowChange, Trailer {}
