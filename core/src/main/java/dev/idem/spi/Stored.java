package dev.idem.spi;

import dev.idem.Entry;

/** An entry with its limit and its trail, which only the document has. */
record Stored(Entry entry, Limit limit, Trail trail) {}
