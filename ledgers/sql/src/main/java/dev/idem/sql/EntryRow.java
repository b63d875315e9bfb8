package dev.idem.sql;

import dev.idem.entry.Entry;

/**
 * An entry as a row: with what ties it to its trail.
 *
 * @param origin the fence of the entry's first grant; its trail stays under this number through later grants
 * @param lines how many lines its trail has had
 */
public record EntryRow(Entry entry, long origin, int lines) {}
