package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.sql.EntryRow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the writer wrote last, which spares it the reading. It is true for certain only as long as no other connection has
 * committed anything, which SQLite tells by its data version, and none of the writer's own transactions has failed. A
 * statement that checks for itself what it relies on may take it as a guess. For whoever leads the group commit.
 */
final class Remembered {
    private static final long UNKNOWN = -1;
    private static final int MOST_ENTRIES = 1024;

    /**
     * An entry in progress.
     *
     * @param attempt the text of its attempt
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
    record Running(EntryRow row, byte[] attempt) {}

    private final Map<Address, Running> running = new LinkedHashMap<>();
    private boolean alone;
    private long dataVersion = UNKNOWN;
    private long highestFence = UNKNOWN;
    private long coveredSpan = UNKNOWN;
    private long dueSpan = UNKNOWN;
    private long spanDue;

    /** Forgets everything if somebody else has written since it was last asked; asked before it is taken as certain. */
    void at(long version) {
        alone = version == dataVersion;
        if (!alone) {
            forget();
            dataVersion = version;
        }
    }

    /** Whether nothing was written or looked at yet, or all was forgotten. */
    boolean isNew() {
        return dataVersion == UNKNOWN;
    }

    /**
     * What was read without the lock, after the data version: it is right, or that version is over.
     *
     * @param span the newest
     */
    void looked(long version, long fence, long span) {
        // What is left of a transaction in which all was forgotten belongs to no version.
        forget();
        dataVersion = version;
        highestFence = fence;
        coveredSpan = span;
        alone = true;
    }

    /** Whether nobody else had written when it was last asked: then a guess is likely to be right. */
    boolean alone() {
        return alone;
    }

    void forget() {
        running.clear();
        alone = false;
        dataVersion = UNKNOWN;
        highestFence = UNKNOWN;
        coveredSpan = UNKNOWN;
        forgetSpans();
    }

    /** The entry of a grant that runs, as it stands in its row; null: nothing is known. */
    @Nullable
    Running running(Address address) {
        return running.get(address);
    }

    /** A row as it was just written. Only those are kept of which a next step is expected soon. */
    void wrote(EntryRow row, byte[] attempt) {
        running.put(row.entry().address(), new Running(row, attempt));
        if (running.size() > MOST_ENTRIES) {
            running.remove(running.keySet().iterator().next());
        }
    }

    /** It is not in progress any more. */
    void removed(Address address) {
        running.remove(address);
    }

    boolean knowsHighestFence() {
        return highestFence != UNKNOWN;
    }

    long highestFence() {
        return highestFence;
    }

    void highestFence(long fence) {
        highestFence = fence;
    }

    boolean covers(long span) {
        return coveredSpan == span;
    }

    void cover(long span) {
        coveredSpan = span;
    }

    /** Whether the row of the span says that something in it comes due by the second time, and after the first. */
    boolean comesDue(long span, long after, long by) {
        return dueSpan == span && spanDue <= by && spanDue > after;
    }

    boolean knowsDue(long span) {
        return dueSpan == span;
    }

    /** When a span comes due by its row, as it was written or read. */
    void spanDue(long span, long due) {
        dueSpan = span;
        spanDue = due;
    }

    void forgetSpans() {
        dueSpan = UNKNOWN;
    }
}
