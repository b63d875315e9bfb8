package dev.idem.sql;

import dev.idem.entry.Address;
import dev.idem.entry.AttemptId;
import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import dev.idem.error.LedgerUnreadableException;
import dev.idem.json.JsonException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads entries from rows that have a cell for each of their parts. */
public final class EntryReader {
    private final Cells cells;
    private final byte @Nullable [] body;

    private EntryReader(Cells cells, byte @Nullable [] body) {
        this.cells = cells;
        this.body = body;
    }

    /**
     * The entry of a row.
     *
     * @param fence names the row in the message
     * @throws LedgerUnreadableException when the row holds what no entry can hold; never taken for "not seen"
     */
    public static EntryRow read(Cells cells, byte @Nullable [] body, long fence) {
        try {
            return new EntryReader(cells, body).row();
        } catch (RuntimeException e) {
            throw unreadable(e, Long.toString(fence));
        }
    }

    /**
     * What to throw when the reading of a row, in whatever form, has thrown something: that it holds what no entry can
     * hold, if it does.
     *
     * @param fence names the row in the message
     */
    public static RuntimeException unreadable(RuntimeException e, String fence) {
        boolean noEntry = e instanceof IllegalArgumentException
                || e instanceof ArithmeticException
                || e instanceof ClassCastException
                || e instanceof IndexOutOfBoundsException
                || e instanceof NullPointerException
                || e instanceof JsonException;
        return noEntry
                ? new LedgerUnreadableException(
                        "the entry with fence " + fence + " can't be read (" + e.getMessage()
                                + "). Nothing was changed; restore the ledger from a copy, or remove that row by hand",
                        e)
                : e;
    }

    private EntryRow row() {
        Fence fence = new Fence(number());
        TrailState trail = cells.trail();
        String key = text();
        String operation = text();
        Address address = new Address(text(), operation, key);
        State state = State.ofWord(text());
        int attempt = (int) number();
        long replays = number();
        Times times = new Times(Micros.instant(number()), Micros.instant(number()), instantOrNull(), instantOrNull());
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
                trail);
    }

    private Tenure tenure() {
        AttemptId attemptId = AttemptId.parse(text());
        String owner = text();
        String host = textOrNull();
        long pid = numberOrZero();
        long start = numberOrZero();
        ProcessRef process = host == null ? null : new ProcessRef(host, pid, start);
        Moment lease = moment();
        Fence acted = new Fence(number());
        return new Tenure(
                attemptId, new Owner(owner, process), lease, acted, moment(), number() != 0, Texts.marks(textOrNull()));
    }

    private Moment moment() {
        return cells.moment();
    }

    private @Nullable Doubt doubt() {
        String reason = textOrNull();
        long since = numberOrZero();
        return reason == null ? null : new Doubt(reason, Micros.instant(since));
    }

    private @Nullable Settlement settlement() {
        String outcome = textOrNull();
        if (outcome == null) {
            return null;
        }
        String effect = textOrNull();
        boolean kept = numberOrZero() != 0;
        Long keep = cells.numberOrNull();
        long tombstone = numberOrZero();
        Retention retention = keep == null ? null : new Retention(Micros.duration(keep), Micros.duration(tombstone));
        String reason = textOrNull();
        String failureType = textOrNull();
        String failureMessage = textOrNull();
        Failure failure = failureType == null ? null : new Failure(failureType, needed(failureMessage));
        String mediaType = textOrNull();
        String codec = textOrNull();
        String encoding = textOrNull();
        Payload payload = mediaType == null
                ? null
                : new Payload(body == null ? new byte[0] : body, mediaType, needed(codec), needed(encoding));
        return new Outcome(outcome, effect, kept, retention, reason, failure, payload).settlement();
    }

    private static String needed(@Nullable String cell) {
        return Objects.requireNonNull(cell, "a text is missing");
    }

    private long number() {
        return cells.number();
    }

    private long numberOrZero() {
        Long number = cells.numberOrNull();
        return number == null ? 0 : number;
    }

    private @Nullable Instant instantOrNull() {
        Long micros = cells.numberOrNull();
        return micros == null ? null : Micros.instant(micros);
    }

    private String text() {
        return cells.text();
    }

    private @Nullable String textOrNull() {
        return cells.textOrNull();
    }
}
