/** A ledger in the memory of one process. */
@NullMarked
package dev.idem.memory;

import org.jspecify.annotations.NullMarked;
