/** Judges a run by its calls, its answers, its effects and the final state of the ledger. */
@NullMarked
package dev.idem.torture.check;

import org.jspecify.annotations.NullMarked;
