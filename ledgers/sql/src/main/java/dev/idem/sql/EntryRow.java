package dev.idem.sql;

import dev.idem.entry.Entry;

/** An entry as a row, with what ties it to its trail. */
public record EntryRow(Entry entry, TrailState trail) {}
