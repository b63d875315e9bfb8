package dev.idem;

import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Ticket;
import dev.idem.spi.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger keeps about one operation. Immutable; a change makes a new one.
 *
 * @param fence of the newest grant
 * @param attempt how often the action was allowed to run, counting from 1; a probe alone does not count
 * @param parent the operation this one ran inside of, if any
 * @param labels searchable, non-secret names and values
 * @param tenure the newest grant
 * @param doubt why the outcome is unknown; sticks through take-overs
 * @param replays how often it has answered a duplicate, as far as the ledger has written it down
 * @param settlement how it ended; null while in progress
 */
public record Entry(
        Address address,
        State state,
        Fence fence,
        int attempt,
        Fingerprints fingerprints,
        @Nullable Address parent,
        Map<String, String> labels,
        Tenure tenure,
        @Nullable Doubt doubt,
        Times times,
        long replays,
        @Nullable Settlement settlement) {

    public Entry {
        labels = labels.isEmpty() ? Map.of() : Map.copyOf(labels);
    }

    /** The ticket of the newest grant. */
    public Ticket ticket() {
        return new Ticket(address, fence);
    }

    /** Whether the newest grant was given to ask a probe and has not been allowed to act. */
    public boolean probing() {
        return tenure.acted().number() != fence.number();
    }

    /** The result of a complete entry, or null. */
    public @Nullable Result result() {
        return settlement instanceof Settlement.Completed completed ? completed.result() : null;
    }

    /** What was thrown by a failed or doubtful attempt, or null. */
    public @Nullable Failure failure() {
        if (settlement instanceof Settlement.Failed failed) {
            return failed.failure();
        }
        return settlement instanceof Settlement.Doubtful doubtful ? doubtful.failure() : null;
    }

    /** When the first attempt was claimed, here or where the entry was imported from: remotes count from there. */
    public Instant began() {
        ImportedRun there = ImportedRun.of(labels);
        return there != null && there.began().isBefore(times.created()) ? there.began() : times.created();
    }

    /** Who resolved the entry and why, or what shows that nothing was executed; null where neither is known. */
    public @Nullable String note() {
        if (settlement instanceof Settlement.NotExecuted notExecuted) {
            return notExecuted.evidence();
        }
        return settlement instanceof Settlement.Completed completed ? completed.note() : null;
    }

    public Entry withReplays(long count) {
        return new Entry(
                address, state, fence, attempt, fingerprints, parent, labels, tenure, doubt, times, count, settlement);
    }

    public Entry withSettlement(@Nullable Settlement how) {
        return new Entry(
                address, state, fence, attempt, fingerprints, parent, labels, tenure, doubt, times, replays, how);
    }

    /** Shows no payloads, messages or labels. */
    @Override
    public String toString() {
        return "Entry[" + address + " " + state.word() + ", fence " + fence + ", attempt " + attempt + "]";
    }
}
