/** Ledgers that are each broken in one place, to show what the contracts catch; and the healthy one they come from. */
@NullMarked
package dev.idem.testkit.broken;

import org.jspecify.annotations.NullMarked;
