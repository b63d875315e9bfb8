package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Doubt;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Moment;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes to entries that no healthy ledger makes. */
final class Edits {
    private Edits() {}

    static Entry withoutExpiry(Entry entry) {
        return withExpiry(entry, null);
    }

    static Entry withExpiry(Entry entry, @Nullable Instant expires) {
        Times old = entry.times();
        Times times = new Times(old.created(), old.claimed(), old.settled(), expires);
        return edited(entry, entry.state(), entry.fingerprints(), entry.tenure(), entry.doubt(), times);
    }

    static Entry inProgress(Entry entry) {
        return edited(entry, State.IN_PROGRESS, entry.fingerprints(), entry.tenure(), entry.doubt(), entry.times());
    }

    static Entry withoutDoubt(Entry entry) {
        return edited(entry, entry.state(), entry.fingerprints(), entry.tenure(), null, entry.times());
    }

    static Entry withFingerprints(Entry entry, Fingerprints fingerprints) {
        return edited(entry, entry.state(), fingerprints, entry.tenure(), entry.doubt(), entry.times());
    }

    static Entry withAttemptId(Entry entry, AttemptId id) {
        Tenure old = entry.tenure();
        return withTenure(
                entry, new Tenure(id, old.owner(), old.lease(), old.acted(), old.limit(), old.staged(), old.marks()));
    }

    static Entry withLease(Entry entry, Moment lease) {
        Tenure old = entry.tenure();
        return withTenure(
                entry,
                new Tenure(old.attemptId(), old.owner(), lease, old.acted(), old.limit(), old.staged(), old.marks()));
    }

    static Entry withLimit(Entry entry, Moment limit) {
        Tenure old = entry.tenure();
        return withTenure(
                entry,
                new Tenure(old.attemptId(), old.owner(), old.lease(), old.acted(), limit, old.staged(), old.marks()));
    }

    static Entry withoutMarks(Entry entry) {
        Tenure old = entry.tenure();
        return withTenure(
                entry,
                new Tenure(
                        old.attemptId(), old.owner(), old.lease(), old.acted(), old.limit(), old.staged(), List.of()));
    }

    static Settlement withPayload(Settlement how, UnaryOperator<Payload> edit) {
        return how instanceof Settlement.Completed completed && completed.result() instanceof Result.Stored stored
                ? new Settlement.Completed(
                        new Result.Stored(edit.apply(stored.payload())), completed.effect(), completed.retention())
                : how;
    }

    private static Entry withTenure(Entry entry, Tenure tenure) {
        return edited(entry, entry.state(), entry.fingerprints(), tenure, entry.doubt(), entry.times());
    }

    private static Entry edited(
            Entry entry, State state, Fingerprints fingerprints, Tenure tenure, @Nullable Doubt doubt, Times times) {
        return new Entry(
                entry.address(),
                state,
                entry.fence(),
                entry.attempt(),
                fingerprints,
                entry.parent(),
                entry.labels(),
                tenure,
                doubt,
                times,
                entry.replays(),
                entry.settlement());
    }
}
