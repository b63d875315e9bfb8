package dev.idem.seal;

import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.util.OptionalLong;

/** Opens the entries of a list. If a seal does not open, the page is an error: most likely the key is missing. */
record SealedBrowsing(Browsable behind, SealedValues values) implements Browsable {
    @Override
    public Page browse(Query query) {
        Page page = behind.browse(query);
        return new Page(page.entries().stream().map(values::open).toList(), page.next(), page.unreadable());
    }

    @Override
    public int purge(int limit) {
        return behind.purge(limit);
    }

    @Override
    public OptionalLong purgeable() {
        return behind.purgeable();
    }

    @Override
    public void writeCounts() {
        behind.writeCounts();
    }

    @Override
    public Stats stats() {
        return behind.stats();
    }
}
