package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.Ticket;
import dev.idem.sql.Micros;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries that were granted here and are not settled yet, so that the server need not send back what is known. It
 * is asked whether they are still the same; whoever is missing here is sent.
 */
final class GrantedEntries {
    private static final int MOST = 10_000;

    private final ConcurrentHashMap<Ticket, Entry> entries = new ConcurrentHashMap<>();

    void add(Entry entry) {
        if (entries.mappingCount() >= MOST) {
            // Tickets that were never settled here have gathered.
            entries.clear();
        }
        entries.put(entry.ticket(), entry);
    }

    @Nullable
    Entry remove(Ticket ticket) {
        return entries.remove(ticket);
    }

    /** By which the server knows whether an entry is still as it was granted: every change but a mark moves its lease. */
    static @Nullable Long lease(@Nullable Entry granted) {
        return granted == null
                ? null
                : (Long) Micros.of(granted.tenure().lease().wall());
    }
}
