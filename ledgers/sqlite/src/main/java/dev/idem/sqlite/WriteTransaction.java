package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Result;
import dev.idem.entry.State;
import dev.idem.ledger.Fences;
import dev.idem.ledger.Step;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Micros;
import dev.idem.sql.ReplayCounts;
import dev.idem.sql.TrailChange;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A transaction that holds the write lock: reads and writes entries with their labels and trails. */
final class WriteTransaction {
    private static final int LARGEST_PURGE = 1 << 20;
    private static final int MOST_LOOKS = 2;

    private final SqliteConnection sqlite;
    private final TrailTable trail;
    private final ReplayCounts replays;
    private final Remembered remembered;
    private final SpanTable spans;
    private final EntryText texts;
    private final List<Address> changed = new ArrayList<>(1);
    private Map<Long, Long> countedReplays = Map.of();
    private boolean certain;
    private int looks;
    private boolean looking;
    private long writes;

    WriteTransaction(
            SqliteConnection sqlite, boolean trail, ReplayCounts replays, Remembered remembered, EntryText texts) {
        this.sqlite = sqlite;
        this.trail = new TrailTable(sqlite, trail);
        this.replays = replays;
        this.remembered = remembered;
        this.texts = texts;
        this.spans = new SpanTable(sqlite, remembered);
    }

    Connection connection() {
        return sqlite.connection();
    }

    /** Sets a point by which {@link #endSavepoint} knows whether it is still in the same transaction. */
    void savepoint() throws SQLException {
        sqlite.run("savepoint");
    }

    void backToSavepoint() throws SQLException {
        sqlite.run("back-to-savepoint");
    }

    void endSavepoint() throws SQLException {
        sqlite.run("release");
    }

    /** How many times something was written. */
    long writes() {
        return writes;
    }

    /** The addresses whose entries have changed. */
    List<Address> changed() {
        return changed;
    }

    /** What is remembered, after what others have changed is forgotten. */
    private Remembered certain() throws SQLException {
        if (!certain) {
            remembered.at(sqlite.dataVersion());
            certain = true;
        }
        return remembered;
    }

    @Nullable
    EntryRow find(Address address) throws SQLException {
        Remembered.Running running = certain().running(address);
        return running != null ? running.row() : Finding.byAddress(sqlite, address);
    }

    /** The entry of a grant that runs, as it was when this process last wrote it; null: nothing is known of it. */
    Remembered.@Nullable Running guess(Address address) {
        return remembered.running(address);
    }

    /** Numbers that no grant has had. */
    Fences fences() throws SQLException {
        if (!certain().knowsHighestFence()) {
            remembered.highestFence(highestFence());
        }
        return this::nextFence;
    }

    /**
     * The numbers after the highest that is remembered, for a grant that is one statement and checks for itself; null if
     * it would take more, or is likely to fail. The check is for this one number: whoever has given a higher one has given
     * this one before, as none is left out, and its row is there, or its removal is remembered in the file.
     */
    @Nullable
    Fences guessedFences() throws SQLException {
        if (remembered.isNew()) {
            look();
        }
        boolean one = remembered.alone()
                && remembered.knowsHighestFence()
                && spans.covers(remembered.highestFence() + 1)
                && replays.isEmpty();
        return one ? this::nextFence : null;
    }

    /** Whether fences were given since the guess that came to nothing, so that another is worth it. */
    boolean guessesAgain() throws SQLException {
        long before = remembered.highestFence();
        if (looks == 0 || looks == MOST_LOOKS) {
            return false;
        }
        look();
        return remembered.highestFence() != before;
    }

    /**
     * Reads without the lock what guesses are made by. A process that has just begun runs slowly, and many of them may
     * begin at once: so none of them has the lock for longer than a statement takes.
     */
    private void look() throws SQLException {
        looks++;
        looking = true;
        remembered.looked(sqlite.dataVersion(), highestFence(), spans.newest());
        looking = false;
    }

    /** Whether an error came of reading without the lock, so that nothing was written. */
    boolean wasLooking() {
        return looking;
    }

    private long highestFence() throws SQLException {
        try (ResultSet row = sqlite.statement("highest-fence").executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private Fence nextFence() {
        long next = remembered.highestFence() + 1;
        remembered.highestFence(next);
        return new Fence(next);
    }

    /**
     * Writes a first grant without labels if there is no entry at its address, and its fence is the highest; false, and
     * nothing is written, if not.
     */
    boolean insertIfAbsent(Entry entry) throws SQLException {
        EntryRow row = new EntryRow(entry, trail.first(entry.fence()));
        byte[] attempt = texts.attempt(row);
        PreparedStatement grant = sqlite.statement("first-grant");
        grant.setLong(1, entry.fence().number());
        grant.setString(2, entry.address().key());
        grant.setString(3, entry.address().operation());
        grant.setString(4, entry.address().scope());
        grant.setLong(5, Micros.of(entry.times().claimed()));
        grant.setBytes(6, attempt);
        if (grant.executeUpdate() == 0) {
            // Its fence was given for nothing, and is the next one's.
            remembered.highestFence(entry.fence().number() - 1);
            return false;
        }
        writes++;
        spans.cover(entry.fence().number());
        remembered.wrote(row, attempt);
        changed.add(entry.address());
        return true;
    }

    /** Whether {@link #endIfUnchanged} is one statement: what else it may have to write is written already. */
    boolean endsInOneStatement(Entry entry) throws SQLException {
        looking = true;
        boolean one = entry.state() != State.FAILED && spans.seesThatItComesDue(entry);
        looking = false;
        return one;
    }

    /** Writes an end if the entry is still as it was guessed; false, and nothing is written, if not. */
    boolean endIfUnchanged(Remembered.Running guessed, Entry entry, TrailChange told) throws SQLException {
        if (!told.lines().isEmpty()) {
            return false;
        }
        EntryRow row = new EntryRow(entry, trail.write(guessed.row().trail(), told));
        if (!EntryText.sameAttempt(guessed.row(), row)) {
            return false;
        }
        PreparedStatement end = sqlite.statement("end-unchanged");
        bindEnd(end, row);
        end.setLong(5, entry.fence().number());
        end.setBytes(6, guessed.attempt());
        if (end.executeUpdate() == 0) {
            return false;
        }
        writes++;
        ended(entry);
        changed.add(entry.address());
        return true;
    }

    /** Does what a step says about an entry that was found, and gives its answer. */
    <A> A take(@Nullable EntryRow found, Step<A> step, BiFunction<EntryRow, Entry, TrailChange> told)
            throws SQLException {
        Entry after = step.put();
        if (after != null && found != null) {
            replace(found, after, told.apply(found, after));
        }
        return step.answer();
    }

    /** Writes an entry that was not there before. */
    void insert(Entry entry) throws SQLException {
        writes++;
        write(new EntryRow(entry, trail.first(entry.fence())));
        changed.add(entry.address());
    }

    /** Writes an entry over what was found. */
    void replace(EntryRow found, Entry entry, TrailChange told) throws SQLException {
        writes++;
        EntryRow row = new EntryRow(entry, trail.write(found.trail(), told));
        if (!found.entry().fence().equals(entry.fence())) {
            delete(found.entry());
            write(row);
        } else {
            update(row);
        }
        changed.add(entry.address());
    }

    /** Removes an entry at a person's wish; its trail stays for a while. */
    void forget(EntryRow found, TrailChange told, Instant keepTrailUntil) throws SQLException {
        writes++;
        delete(found.entry());
        trail.keepForgotten(found.entry().address(), trail.write(found.trail(), told), keepTrailUntil);
        changed.add(found.entry().address());
    }

    /** Removes an expired entry with its trail. */
    void drop(EntryRow found) throws SQLException {
        writes++;
        delete(found.entry());
        trail.remove(found.trail());
        changed.add(found.entry().address());
    }

    /** The span that comes due first, if it has come due. */
    @Nullable
    Long dueSpan(Instant now) throws SQLException {
        return spans.due(now);
    }

    /** Some of the expired entries of a span, and of those whose tombstones are over; no more than is quick. */
    List<EntryRow> due(long span, Instant now, int limit) throws SQLException {
        List<EntryRow> rows = new ArrayList<>();
        long bytes = 0;
        try (ResultSet found = spans.entries(span, now, limit)) {
            while (bytes < LARGEST_PURGE && found.next()) {
                EntryRow row = RowReader.read(found);
                bytes += row.entry().result() instanceof Result.Stored stored
                        ? stored.payload().bytes().length
                        : 0;
                rows.add(row);
            }
        }
        return rows;
    }

    /** Writes down when a span of which entries were purged comes due again. */
    void purged(long span, Instant now) throws SQLException {
        writes++;
        spans.lookAt(span, now);
    }

    /** Writes down that spans have nothing in progress or in doubt any more. */
    int end(List<Long> ended) throws SQLException {
        for (Long span : ended) {
            spans.end(span);
        }
        writes += ended.size();
        return ended.size();
    }

    /** Removes trails of forgotten entries that were kept long enough. */
    void dropForgottenTrails(Instant now, int limit) throws SQLException {
        writes += trail.dropForgotten(now, limit);
    }

    private void delete(Entry entry) throws SQLException {
        byFence("remove", entry);
        // The row was the memory of its fence.
        byFence("keep-fence", entry);
        byFence("remove-failed", entry);
        labels("remove-label", entry);
        remembered.removed(entry.address());
    }

    private void byFence(String statement, Entry entry) throws SQLException {
        PreparedStatement change = sqlite.statement(statement);
        change.setLong(1, entry.fence().number());
        change.executeUpdate();
    }

    private void write(EntryRow row) throws SQLException {
        Entry entry = row.entry();
        byte[] attempt = texts.attempt(row);
        PreparedStatement grant = sqlite.statement("grant");
        grant.setLong(1, entry.fence().number());
        grant.setString(2, entry.address().key());
        grant.setString(3, entry.address().operation());
        grant.setString(4, entry.address().scope());
        grant.setLong(5, entry.replays());
        grant.setLong(6, Micros.of(entry.times().claimed()));
        grant.setBytes(7, attempt);
        grant.executeUpdate();
        labels("label", entry);
        spans.cover(entry.fence().number());
        if (entry.state() == State.IN_PROGRESS) {
            remembered.wrote(row, attempt);
        } else {
            end(row, attempt);
        }
    }

    private void update(EntryRow row) throws SQLException {
        byte[] attempt = texts.attempt(row);
        if (row.entry().state() == State.IN_PROGRESS) {
            PreparedStatement hold = sqlite.statement("hold");
            hold.setBytes(1, attempt);
            hold.setLong(2, row.entry().fence().number());
            requireOne(hold.executeUpdate(), row);
            remembered.wrote(row, attempt);
        } else {
            end(row, attempt);
        }
    }

    private void end(EntryRow row, byte[] attempt) throws SQLException {
        PreparedStatement end = sqlite.statement("end");
        bindEnd(end, row);
        end.setBytes(5, attempt);
        end.setLong(6, row.entry().fence().number());
        requireOne(end.executeUpdate(), row);
        ended(row.entry());
    }

    /** What an end writes beside the row. */
    private void ended(Entry entry) throws SQLException {
        spans.comesDue(entry);
        if (entry.state() == State.FAILED) {
            byFence("failed", entry);
        }
        remembered.removed(entry.address());
    }

    /** {@code state, due, outcome, body}. */
    private void bindEnd(PreparedStatement end, EntryRow row) throws SQLException {
        end.setString(1, row.entry().state().word());
        end.setLong(2, SpanTable.due(row.entry()));
        end.setBytes(3, texts.outcome(row));
        end.setBytes(
                4,
                row.entry().result() instanceof Result.Stored stored
                        ? stored.payload().bytes()
                        : null);
    }

    private static void requireOne(int changed, EntryRow row) throws SQLException {
        if (changed != 1) {
            throw new SQLException("the entry with fence " + row.entry().fence() + " is not there");
        }
    }

    private void labels(String statement, Entry entry) throws SQLException {
        for (Map.Entry<String, String> label : entry.labels().entrySet()) {
            PreparedStatement change = sqlite.statement(statement);
            change.setString(1, label.getKey());
            change.setString(2, label.getValue());
            change.setLong(3, entry.fence().number());
            change.executeUpdate();
        }
    }

    /** Makes the commit worth its while for the replays that wait. */
    boolean writeReplays() {
        writes++;
        return true;
    }

    /** Replays that were counted meanwhile ride along with a change; they never cost a commit of their own. */
    void commit() throws SQLException {
        try {
            if (writes > 0) {
                countReplays();
            }
            sqlite.run("commit");
        } catch (SQLException | RuntimeException | Error e) {
            replays.giveBack(countedReplays);
            throw e;
        }
    }

    private void countReplays() throws SQLException {
        countedReplays = replays.take();
        for (Map.Entry<Long, Long> counted : countedReplays.entrySet()) {
            PreparedStatement count = sqlite.statement("count-replays");
            count.setLong(1, counted.getValue());
            count.setLong(2, counted.getKey());
            count.executeUpdate();
        }
    }

    void rollBack() throws SQLException {
        sqlite.run("rollback");
    }
}
