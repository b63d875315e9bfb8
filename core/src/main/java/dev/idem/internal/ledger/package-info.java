/** Helpers of the ledgers in files: the queue of those who write at the same time, and times as text. */
@NullMarked
package dev.idem.internal.ledger;

import org.jspecify.annotations.NullMarked;
