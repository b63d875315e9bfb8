package dev.idem.spi.browse;

import dev.idem.Address;
import java.util.List;

/**
 * A ledger that keeps an append-only trail of what happened to each entry. Get it with {@code
 * ledger.as(Historied.class)}. A trail holds the first 20 and the newest 480 events.
 */
public interface Historied {
    /**
     * The trail of an address, oldest first. Empty for an unknown address. The trail is kept as long as the entry, and
     * after a forget or an expiry for 7 days more; on Redis for one hour, or as {@code ?stub=} says.
     */
    List<TrailLine> trail(Address address);
}
