package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/**
 * The holder of a ticket.
 *
 * @param name a name for people, such as host and pid
 * @param process the owner's process, where the host can tell whether it still lives
 */
public record Owner(String name, @Nullable ProcessRef process) {
    /** An owner known only by a name. */
    public static Owner named(String name) {
        return new Owner(name, null);
    }
}
