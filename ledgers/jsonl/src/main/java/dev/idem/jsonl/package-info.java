/** The ledger in a JSON Lines file that people can read, for one process at a time. */
@NullMarked
package dev.idem.jsonl;

import org.jspecify.annotations.NullMarked;
