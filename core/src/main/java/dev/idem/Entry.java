package dev.idem;

import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ImportedRun;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Ticket;
import dev.idem.spi.Times;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of one operation in a ledger. Immutable and thread-safe.
 *
 * @param fence the fence of the newest grant
 * @param attempt how often the action was allowed to run, counting from 1; a probe alone does not count
 * @param parent the operation this one ran inside of, if any
 * @param labels searchable, non-secret names and values
 * @param tenure the newest grant
 * @param doubt why the outcome is unknown; a take-over keeps it
 * @param replays how many duplicates it has answered, as far as the ledger has written the count
 * @param settlement how the attempt ended; null while in progress
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

    /** Whether the newest grant allows only a probe so far, not the action. */
    public boolean probing() {
        return tenure.acted().number() != fence.number();
    }

    /** The result of a complete entry, or null. */
    public @Nullable Result result() {
        return settlement instanceof Settlement.Completed completed ? completed.result() : null;
    }

    /** The exception of a failed or doubted attempt, or null. */
    public @Nullable Failure failure() {
        if (settlement instanceof Settlement.Failed failed) {
            return failed.failure();
        }
        return settlement instanceof Settlement.Doubtful doubtful ? doubtful.failure() : null;
    }

    /**
     * The time of the first claim, here or at the origin of an imported entry. Remotes count their retention from it.
     */
    public Instant began() {
        ImportedRun there = ImportedRun.of(labels);
        return there != null && there.began().isBefore(times.created()) ? there.began() : times.created();
    }

    /** The decision of the person who resolved the entry; null where none did. It is a fact, unlike {@link #note}. */
    public @Nullable ResolvedBy resolution() {
        return settlement == null ? null : settlement.resolution();
    }

    /**
     * The note of a resolution (person and reason) or the proof that nothing was executed; null without either. A text
     * for people: the owner of a ticket may have written it.
     */
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
