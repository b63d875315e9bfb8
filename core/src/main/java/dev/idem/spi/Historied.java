package dev.idem.spi;

import dev.idem.Address;
import java.util.List;

/** A ledger that keeps an append-only trail of what happened to each entry. */
public interface Historied {
    /** The trail of an address, oldest first. It outlives a forget for as long as the ledger keeps trails. */
    List<TrailLine> trail(Address address);
}
