package dev.idem.spi;

import dev.idem.Address;

/** Proof of a granted claim. It goes with every later write; a ticket whose fence was overtaken changes nothing. */
public record Ticket(Address address, Fence fence) {
    // Written out: a record's own equality is put together at run time, which a short-lived program would notice.
    @Override
    public boolean equals(Object other) {
        return other instanceof Ticket that && fence.equals(that.fence) && address.equals(that.address);
    }

    @Override
    public int hashCode() {
        return address.hashCode() * 31 + fence.hashCode();
    }
}
