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
 * A table with one row per address. The store supplies the time and the fences; {@link dev.idem.spi.store.StoreLedger} supplies the rules
 * and makes a ledger of it. This is all that the author of a ledger has to write.
 *
 * <p>Each method is one atomic step on one row and safe to call from any thread. A store never decides anything: it
 * only compares and writes the values it is given.
 *
 * <p><b>Time</b> is the store's own. Read {@link Found#now()} before the row: a later time could show a lease as lapsed
 * that the owner renewed in between. Add the durations of a {@link Draft} to the time of the write: an earlier time
 * would make a lease or a limit too short.
 *
 * <p><b>Fences</b> are assigned by the store in the same step that writes the row, where the draft asks for one. The
 * fences of an address only grow, also after its row was removed.
 *
 * <p>Every method throws {@link LedgerUnavailableException} when there is no answer (the write may or may not have been
 * made), and {@link LedgerUnreadableException} when the store or the row can't be read.
 */
public interface EntryStore extends AutoCloseable {
    /**
     * Writes the first row of an address. Where the address has a row, writes nothing and returns that row.
     *
     * @throws RowLockedException when another transaction holds the address for too long
     */
    Found insert(Address at, Draft first);

    /** Reads the row of an address from the primary, never from a replica that may be behind. */
    Found read(Address at);

    /** Replaces a row by compare-and-set: only if the row is unchanged. Keeps the count of replays. */
    Swap replace(Row seen, Draft next, Guard guard);

    /**
     * Renews leases, counted from now. It changes only the lease, not the version, and only where the row is in
     * progress and has the fence of the ticket.
     */
    Renewed renew(Map<Ticket, Duration> leases);

    /** Makes sure that a row that was read is durable, as if it had just been written. */
    default void confirm(Row row) {}

    /**
     * How long a forgotten row keeps its fence and its trail, and how much longer than its entry a settled row is
     * kept.
     */
    default Duration keepsForgotten() {
        return Duration.ofDays(7);
    }

    /** The size of the largest body that the store takes, in bytes. */
    default int largestBody() {
        return 512 * 1024 * 1024;
    }

    /** The place and the settings of this store, for people and logs; without secrets. */
    String describe();

    @Override
    void close();

    /** The part of a row that a compare-and-set compares. */
    enum Guard {
        /** The version. For the owner of the row, whose own heartbeats change the lease. */
        VERSION,
        /** The version and the lease. For all others: the owner may have renewed a lease that was read as lapsed. */
        VERSION_AND_LEASE
    }

    /** The times that a write sets. */
    enum Stamp {
        /** None: claimed, settled and expires stay as they are. */
        NONE,
        /** {@code claimed} is now; settled and expires are empty. */
        CLAIMED,
        /** {@code settled} is now, {@code expires} is {@link Draft#dueIn()} later, or empty. */
        SETTLED
    }

    /**
     * The row of an address, and the time of the store.
     *
     * @param row null where the address has no row
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
     * @param replays how many duplicates were answered, as far as the count was written
     * @param document the rest of the entry: JSON that the store keeps as it is
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
        /** The same row with another lease and another count of replays, which change without a new version. */
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
     * @param removeAfter when the store may delete the row without asking the rules, counted from the write; null
     *     for never
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

        /** The row has changed or is gone. Nothing was written. */
        record Changed() implements Swap {}

        /** Another transaction has locked the row. Nothing was written. */
        record Held() implements Swap {}
    }

    /**
     * The tickets that were not renewed.
     *
     * @param lost tickets that are no longer current
     * @param unanswered tickets with an unknown answer, for instance because another transaction has locked the row
     */
    record Renewed(Set<Ticket> lost, Set<Ticket> unanswered) {}
}
