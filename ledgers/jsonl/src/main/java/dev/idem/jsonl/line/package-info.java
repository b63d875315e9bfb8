/** The lines of a ledger file: how they are written, read and found in the file. */
@NullMarked
package dev.idem.jsonl.line;

import org.jspecify.annotations.NullMarked;
