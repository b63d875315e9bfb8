/** Ledgers broken on purpose, on which a run has to go red. */
@NullMarked
package dev.idem.torture.broken;

import org.jspecify.annotations.NullMarked;
