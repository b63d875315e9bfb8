/** The commands that look at entries and change them by hand, and the ledger of a call. */
@NullMarked
package dev.idem.cli.entry;

import org.jspecify.annotations.NullMarked;
