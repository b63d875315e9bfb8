/** Optional abilities of a ledger, for people who look: lists of entries, counts, and the trail of an entry. */
@NullMarked
package dev.idem.spi.browse;

import org.jspecify.annotations.NullMarked;
