package dev.idem.spi;

import java.util.Map;

/** A store that counts how many duplicates each row has answered. */
public interface ReplayCounting {
    /** Adds to the counts of rows that still have the fence of the ticket. Neither version nor lease changes. */
    void countReplays(Map<Ticket, Long> more);
}
