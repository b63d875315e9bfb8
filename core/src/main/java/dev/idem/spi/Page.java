package dev.idem.spi;

import dev.idem.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of entries.
 *
 * <p>Paging is stable: it goes down by fence, so an entry that is not claimed again meanwhile appears on exactly one
 * page, whatever is added or removed around it.
 *
 * @param next the cursor of the next page; null on the last page
 */
public record Page(List<Entry> entries, @Nullable String next) {
    public Page {
        entries = List.copyOf(entries);
    }
}
