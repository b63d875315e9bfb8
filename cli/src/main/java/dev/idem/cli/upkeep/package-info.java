/** The commands that maintain a ledger, and those about {@code idem} itself. */
@NullMarked
package dev.idem.cli.upkeep;

import org.jspecify.annotations.NullMarked;
