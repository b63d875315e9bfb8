package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.Ticket;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries that were granted here and are as they were granted, as far as this process knows, so that the server
 * need not send them back when they are settled. Whatever is missing here is sent.
 */
final class GrantedEntries {
    private static final int MOST = 10_000;

    private final ConcurrentHashMap<Ticket, Entry> entries = new ConcurrentHashMap<>();

    void add(Entry entry) {
        if (entry.probing() || entry.doubt() != null || !entry.tenure().marks().isEmpty()) {
            return;
        }
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
}
