/** The files of a ledger and its lock, as a disk that tests can replace. */
@NullMarked
package dev.idem.jsonl.disk;

import org.jspecify.annotations.NullMarked;
