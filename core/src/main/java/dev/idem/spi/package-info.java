/**
 * What the author of a ledger imports: {@link dev.idem.spi.EntryStore} to implement, {@link dev.idem.spi.StoreLedger} with
 * the rules, and the values that both speak of. {@link dev.idem.spi.Ledger} is what the engine calls.
 */
@NullMarked
package dev.idem.spi;

import org.jspecify.annotations.NullMarked;
