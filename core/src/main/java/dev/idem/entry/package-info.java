/** The values a ledger keeps: entries, addresses, fences, settlements. Nothing here does I/O or reads a clock. */
@NullMarked
package dev.idem.entry;

import org.jspecify.annotations.NullMarked;
