package dev.idem.jsonl.line;

/** The content of a line of a ledger file, after the header. */
public sealed interface Line permits RowChange, Trailer {}
