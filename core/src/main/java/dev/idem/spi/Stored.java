package dev.idem.spi;

import dev.idem.Entry;

/** An entry with what only its document has. */
record Stored(Entry entry, Limit limit, Trail trail) {}
