package dev.idem.jsonl;

/** What a line of a ledger file says, after the first one. */
sealed interface Line permits Change, Trailer {}
