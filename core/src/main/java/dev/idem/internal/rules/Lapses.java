package dev.idem.internal.rules;

import dev.idem.Entry;
import dev.idem.spi.Doubt;
import dev.idem.spi.Moment;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes;
import dev.idem.spi.Processes.Life;
import org.jspecify.annotations.Nullable;

/** Decides whether the owner of a ticket is still alive, by its lease and its process. */
final class Lapses {
    private final Processes processes;

    Lapses(Processes processes) {
        this.processes = processes;
    }

    /** Why an entry in progress has lapsed; null while it is alive. */
    @Nullable
    Doubt lapseOf(Entry entry, Moment now) {
        ProcessRef owner = entry.tenure().owner().process();
        boolean leased = now.isBefore(entry.tenure().lease());
        Life ownerLife = owner == null ? Life.UNKNOWN : processes.of(owner);
        if (leased && ownerLife != Life.DEAD) {
            return null;
        }
        if (childLives(entry)) {
            return null;
        }
        String name = entry.tenure().owner().name();
        // A dead process died at an unknown time, so its doubt counts from the grant, the earliest possible time.
        return ownerLife == Life.DEAD
                ? new Doubt(
                        "the process that ran it, " + name + ", ended without settling it",
                        entry.times().claimed())
                : new Doubt(
                        "the lease of " + name + " ran out without a heartbeat",
                        entry.tenure().lease().wall());
    }

    /** Whether a process that the owner has started still runs on this host. */
    boolean childLives(Entry entry) {
        ProcessRef child = entry.tenure().child();
        return child != null && processes.of(child) == Life.ALIVE;
    }
}
