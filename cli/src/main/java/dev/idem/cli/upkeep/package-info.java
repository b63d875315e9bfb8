/** The commands that look after a ledger as a whole, and those about {@code idem} itself. */
@NullMarked
package dev.idem.cli.upkeep;

import org.jspecify.annotations.NullMarked;
