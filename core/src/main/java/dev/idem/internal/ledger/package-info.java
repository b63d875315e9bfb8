/** Helpers of the ledgers: options of their URLs, places of files, the queue of writes, and times as text. */
@NullMarked
package dev.idem.internal.ledger;

import org.jspecify.annotations.NullMarked;
