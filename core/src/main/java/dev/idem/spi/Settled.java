package dev.idem.spi;

import dev.idem.Entry;
import org.jspecify.annotations.Nullable;

/** The answer to a settle. */
public sealed interface Settled {
    /** It was written; the entry as it is now. A failure on an entry that carries doubt is written as in doubt. */
    record Recorded(Entry entry) implements Settled {}

    /** The attempt was settled before. The entry is unchanged. */
    record Already(Entry entry) implements Settled {}

    /** The ticket is not the current one: nothing was written. The entry as it is, or null where it is gone. */
    record Stale(@Nullable Entry entry) implements Settled {}
}
