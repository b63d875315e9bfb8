package dev.idem.spi;

import dev.idem.Address;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table with one row per address. The store supplies the time and the fences; {@link StoreLedger} supplies the rules
 * and makes a ledger of it. This is all that the author of a ledger has to write.
 *
 * <p>Each method is one atomic step on one row and safe to call from any thread. A store never decides anything: it
 * compares what it is told to compare, and writes what it is told to write.
 *
 * <p><b>Time</b> is the store's own. {@link Found#now()} is read before the row, so that an answer is never judged by a
 * later time than the row was true at. Durations of a {@link Draft} are added to the time at which the row is written:
 * a time that was read earlier would make a lease or a limit too short.
 *
 * <p><b>Fences</b> are drawn by the store in the same step that writes the row, where the draft asks for one. They only
 * grow, for as long as the row exists and after it was removed.
 *
 * <p>Every method throws {@link LedgerUnavailableException} when there is no answer, so that the write may or may not have
 * been made, and {@link LedgerUnreadableException} when the store can't be used as it is.
 */
public interface EntryStore extends AutoCloseable {
    /** Writes a first row. Writes nothing where the address has a row, and gives that row. */
    Found insert(Address at, Draft first);

    /** The row of an address, from the primary and never from a replica that may be behind. */
    Found read(Address at);

    /** Writes a row over another, if that one is still as it was seen. The count of replays stays as it is. */
    Swap replace(Row seen, Draft next, Guard guard);

    /**
     * Prolongs leases, counted from now. It changes the lease alone, not the version, and only where the row is in
     * progress and has the fence of the ticket.
     */
    Renewed renew(Map<Ticket, Duration> leases);

    /** Makes a row that was read as durable as one that was just written. */
    default void confirm(Row row) {}

    /** How long a forgotten row keeps its fence and its trail, and how much longer than its entry a settled row is kept. */
    default Duration keepsForgotten() {
        return Duration.ofDays(7);
    }

    /** The bytes of the largest body that it takes. */
    default int largestBody() {
        return 512 * 1024 * 1024;
    }

    /** Where this store is and how it is set, for people and logs; without secrets. */
    String describe();

    @Override
    void close();

    /** What has to be unchanged since a row was seen. */
    enum Guard {
        /** The version. Enough for the owner of the row, whose own heartbeats change the lease. */
        VERSION,
        /** The version and the lease. For everybody else: a lease that was seen as lapsed may have been renewed since. */
        VERSION_AND_LEASE
    }

    /** Which time a write sets. */
    enum Stamp {
        /** None: claimed, settled and expires stay as they are. */
        NONE,
        /** {@code claimed} is now; settled and expires are empty. */
        CLAIMED,
        /** {@code settled} is now, {@code expires} is {@link Draft#dueIn()} later, or empty. */
        SETTLED
    }

    /**
     * What was found at an address.
     *
     * @param row null where there is none
     * @param inserted whether the row is the one that was just inserted
     * @param now the store's time, read before the row
     */
    record Found(@Nullable Row row, boolean inserted, Moment now) {}

    /**
     * A row as it is stored.
     *
     * @param version 64 random bits that its writer chose. A counter would start again after a removal or a failover
     * @param state null where the entry was forgotten: only its fence and its trail are left
     * @param claimed when the newest grant was written
     * @param lease until when the newest grant is trusted without a heartbeat
     * @param replays how many duplicates were answered, as far as it was written down
     * @param document the rest of the entry, see {@link EntryFormat}
     * @param body the bytes of the result, or null where there are none
     */
    @SuppressWarnings("ArrayRecordComponent") // rows are carried, never compared
    record Row(
            Address at,
            long version,
            Fence fence,
            @Nullable State state,
            Moment claimed,
            Moment lease,
            @Nullable Moment settled,
            @Nullable Instant expires,
            long replays,
            byte[] document,
            byte @Nullable [] body) {
        /** The same row with what changes without a new version: the lease and the count of replays. */
        public Row with(Moment newLease, long newReplays) {
            return new Row(at, version, fence, state, claimed, newLease, settled, expires, newReplays, document, body);
        }

        /** Shows no payload. */
        @Override
        public String toString() {
            return "Row[" + at + " " + (state == null ? "forgotten" : state.word()) + ", fence " + fence + "]";
        }
    }

    /**
     * A row to be written.
     *
     * @param newFence whether the row gets a fence higher than every one before it
     * @param fresh whether the row begins a new life: the count of replays starts at zero
     * @param lease counted from the write; null leaves it as it is
     * @param dueIn when a purge should look at the row, counted from the write; null for never
     * @param removeAfter when the row may be deleted without being looked at, counted from the write; null for never
     * @param labels for searching; the document has them too
     */
    @SuppressWarnings("ArrayRecordComponent") // drafts are carried, never compared
    record Draft(
            long version,
            @Nullable State state,
            boolean newFence,
            boolean fresh,
            Stamp stamp,
            @Nullable Duration lease,
            @Nullable Duration dueIn,
            @Nullable Duration removeAfter,
            Map<String, String> labels,
            byte[] document,
            byte @Nullable [] body) {
        /** Shows no payload. */
        @Override
        public String toString() {
            return "Draft[" + (state == null ? "forgotten" : state.word()) + "]";
        }
    }

    /** The answer to a replace. */
    sealed interface Swap {
        /**
         * It was written.
         *
         * @param row as it is now
         */
        record Written(Row row) implements Swap {}

        /** The row is no longer as it was seen, or is gone. Nothing was written. */
        record Changed() implements Swap {}

        /** A transaction of somebody else holds the row. Nothing was written. */
        record Held() implements Swap {}
    }

    /**
     * The tickets that were not renewed.
     *
     * @param lost those that are no longer current
     * @param unanswered those of which nothing is known, such as those whose row somebody holds locked
     */
    record Renewed(Set<Ticket> lost, Set<Ticket> unanswered) {}
}
