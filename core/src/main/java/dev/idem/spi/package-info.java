/** What the author of a ledger implements: a store of rows without rules. */
@NullMarked
package dev.idem.spi;

import org.jspecify.annotations.NullMarked;
