package dev.idem.sql;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Doubt;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import dev.idem.error.LedgerUnreadableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads entries from the columns that {@link EntryColumns} lists. */
public final class EntryReader {
    private final ResultSet row;
    private int at;

    private EntryReader(ResultSet row) {
        this.row = row;
    }

    /**
     * The entry of the current row.
     *
     * @throws LedgerUnreadableException when the row holds what no entry can hold; never taken for "not seen"
     */
    public static EntryRow read(ResultSet row) throws SQLException {
        try {
            return new EntryReader(row).row();
        } catch (IllegalArgumentException | ArithmeticException | ClassCastException | NullPointerException e) {
            throw new LedgerUnreadableException(
                    "entry with fence " + row.getLong(1) + " can't be read (" + e.getMessage()
                            + "). Nothing was changed; restore the ledger from a copy, or remove that row by hand",
                    e);
        }
    }

    private EntryRow row() throws SQLException {
        Fence fence = new Fence(number());
        long origin = number();
        int lines = (int) number();
        String key = text();
        String operation = text();
        Address address = new Address(text(), operation, key);
        State state = State.ofWord(text());
        int attempt = (int) number();
        long replays = number();
        Times times = new Times(
                Micros.instant(number()),
                Micros.instant(number()),
                Columns.instantOrNull(row, ++at),
                Columns.instantOrNull(row, ++at));
        Fingerprints fingerprints = new Fingerprints(textOrNull(), textOrNull());
        Address parent = Texts.address(textOrNull());
        var labels = Texts.labels(textOrNull());
        Tenure tenure = tenure();
        Doubt doubt = doubt();
        Settlement settlement = settlement();
        return new EntryRow(
                new Entry(
                        address,
                        state,
                        fence,
                        attempt,
                        fingerprints,
                        parent,
                        labels,
                        tenure,
                        doubt,
                        times,
                        replays,
                        settlement),
                origin,
                lines);
    }

    private Tenure tenure() throws SQLException {
        AttemptId attemptId = AttemptId.parse(text());
        String owner = text();
        String host = textOrNull();
        long pid = number();
        long start = number();
        ProcessRef process = host == null ? null : new ProcessRef(host, pid, start);
        Moment lease = moment();
        Fence acted = new Fence(number());
        return new Tenure(
                attemptId, new Owner(owner, process), lease, acted, moment(), number() != 0, Texts.marks(textOrNull()));
    }

    private Moment moment() throws SQLException {
        return new Moment(Micros.instant(number()), text(), number());
    }

    private @Nullable Doubt doubt() throws SQLException {
        String reason = textOrNull();
        long since = number();
        return reason == null ? null : new Doubt(reason, Micros.instant(since));
    }

    private @Nullable Settlement settlement() throws SQLException {
        String outcome = textOrNull();
        if (outcome == null) {
            return null;
        }
        String effect = textOrNull();
        boolean kept = number() != 0;
        long keep = number();
        long tombstone = number();
        String reason = textOrNull();
        String failureType = textOrNull();
        String failureMessage = textOrNull();
        return switch (outcome) {
            case Outcome.COMPLETED ->
                new Settlement.Completed(
                        result(reason), Effect.ofWord(needed(effect, "effect")), retention(keep, tombstone));
            case Outcome.FAILED ->
                new Settlement.Failed(failure(failureType, failureMessage), kept, retention(keep, tombstone));
            case Outcome.NOT_EXECUTED ->
                new Settlement.NotExecuted(needed(reason, "reason"), retention(keep, tombstone));
            case Outcome.DOUBTFUL -> new Settlement.Doubtful(failure(failureType, failureMessage));
            default -> throw new IllegalArgumentException("'" + outcome + "' is no outcome");
        };
    }

    private Result result(@Nullable String why) throws SQLException {
        String mediaType = textOrNull();
        String codec = textOrNull();
        String encoding = textOrNull();
        byte[] body = row.getBytes(++at);
        if (mediaType == null) {
            return new Result.Unavailable(needed(why, "reason"));
        }
        return new Result.Stored(new Payload(
                body == null ? new byte[0] : body, mediaType, needed(codec, "codec"), needed(encoding, "encoding")));
    }

    private static Retention retention(long keep, long tombstone) {
        return new Retention(Micros.duration(keep), Micros.duration(tombstone));
    }

    private static Failure failure(@Nullable String type, @Nullable String message) {
        return new Failure(needed(type, "failure_type"), needed(message, "failure_message"));
    }

    private static String needed(@Nullable String text, String column) {
        return Objects.requireNonNull(text, column + " is missing");
    }

    private long number() throws SQLException {
        return row.getLong(++at);
    }

    private String text() throws SQLException {
        return needed(row.getString(++at), "column " + at);
    }

    private @Nullable String textOrNull() throws SQLException {
        return row.getString(++at);
    }
}
