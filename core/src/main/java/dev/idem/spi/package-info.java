/**
 * The types that authors of ledgers import: {@link dev.idem.spi.EntryStore} to implement, {@link
 * dev.idem.spi.store.StoreLedger} with the rules, and their values. The engine calls {@link dev.idem.spi.Ledger}.
 */
@NullMarked
package dev.idem.spi;

import org.jspecify.annotations.NullMarked;
