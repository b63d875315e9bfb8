package dev.idem.spi.browse;

import dev.idem.Address;
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
 * @param unreadable entries of this page that can't be read, for instance because a later version wrote them. They may
 *     or may not match the query. A copy of the ledger without them is not complete
 */
public record Page(List<Entry> entries, @Nullable String next, List<Unreadable> unreadable) {
    public Page {
        entries = List.copyOf(entries);
        unreadable = List.copyOf(unreadable);
    }

    /** A page where every entry could be read. */
    public Page(List<Entry> entries, @Nullable String next) {
        this(entries, next, List.of());
    }

    /**
     * An entry that can't be read.
     *
     * @param why the reason, for people
     */
    public record Unreadable(Address address, String why) {}
}
