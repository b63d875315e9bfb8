/** Ledgers to build on: {@link dev.idem.spi.store.StoreLedger} over a store of rows, and one in memory. */
@NullMarked
package dev.idem.spi.store;

import org.jspecify.annotations.NullMarked;
