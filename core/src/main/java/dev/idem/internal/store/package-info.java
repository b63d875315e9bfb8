/** How entries are kept in rows: their text, the drafts of new rows, and swaps that others may overtake. Not exported. */
@NullMarked
package dev.idem.internal.store;

import org.jspecify.annotations.NullMarked;
