package dev.idem.cli.protocol;

import dev.idem.Entry;
import dev.idem.InFlightException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Doubts;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.recorded.Results;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Forecast;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of {@code idem claim} for each answer of the ledger. */
final class ClaimAnswers implements Claim.Cases<Answer> {
    private final Surroundings around;
    private final Arguments arguments;
    private final ClaimRequest request;

    ClaimAnswers(Surroundings around, Arguments arguments, ClaimRequest request) {
        this.around = around;
        this.arguments = arguments;
        this.request = request;
    }

    @Override
    public Answer granted(Claim.Granted granted) {
        Entry entry = granted.entry();
        return Answer.ok(EntryFields.found("created", entry))
                .with("granted", true)
                .with("attempt_id", entry.tenure().attemptId().toString())
                .with("lease_ms", request.lease().toMillis())
                .with("probing", entry.probing())
                .text("granted, fence " + entry.fence() + "\n");
    }

    @Override
    public Answer replay(Claim.Replay replay) {
        Map<String, @Nullable Object> data = EntryFields.found("noop", replay.entry());
        data.put("granted", false);
        data.put("reason", "it is complete");
        Results.add(data, replay.entry().result());
        Answer answer = Answer.ok(data).replayed().text("complete; nothing to do\n");
        return request.fingerprints().incomparableTo(replay.entry().fingerprints())
                ? answer.warn(
                        "NOT_COMPARED",
                        "the entry or this claim has no --identity, so nothing shows that they are the same work")
                : answer;
    }

    @Override
    public Answer replayedFailure(Claim.ReplayedFailure failed) {
        Failure failure = failed.entry().failure();
        return Answer.no(
                        ExitCode.GENERAL_ERROR,
                        "FAILED",
                        "it failed" + (failure == null ? "" : ": " + failure.message()))
                .data(EntryFields.found("noop", failed.entry()))
                .replayed();
    }

    @Override
    public Answer inFlight(Claim.InFlight inFlight) {
        return held(inFlight.entry(), inFlight.leaseLeft());
    }

    private Answer held(Entry entry, Duration left) {
        return Answer.no(
                        ExitCode.PRECONDITION,
                        "IN_FLIGHT",
                        "'" + key() + "' is held by " + entry.tenure().owner().name() + " for another "
                                + Durations.words(left) + ". Nothing was claimed")
                .retryAfter(new InFlightException(entry, left).retryAfter())
                .data(EntryFields.found("noop", entry));
    }

    @Override
    public Answer conflict(Claim.Conflict conflict) {
        return Answer.no(ExitCode.CONFLICT, "CONFLICT", "the key '" + key() + "' was used for something else")
                .fix("use a new key for new work")
                .fixCommand(suggested().show())
                .data(EntryFields.found("noop", conflict.entry()));
    }

    @Override
    public Answer inDoubt(Claim.InDoubt inDoubt) {
        return doubtful(inDoubt.entry(), inDoubt.doubt());
    }

    private Answer doubtful(Entry entry, @Nullable Doubt doubt) {
        return Answer.no(
                        ExitCode.PARTIAL_FAILURE,
                        "IN_DOUBT",
                        "'" + key() + "' is in doubt"
                                + (doubt == null ? "" : ": " + Doubts.reason(entry, doubt))
                                + ". It is unknown whether it took effect; nothing was claimed")
                .fix("find out whether it happened, then: " + suggested().resolve("complete") + " or "
                        + suggested().resolve("failed"))
                .fixCommand(suggested().why())
                .data(EntryFields.found("noop", entry));
    }

    @Override
    public Answer expired(Claim.Expired expired) {
        return Answer.no(ExitCode.CONFLICT, "EXPIRED", "'" + key() + "' is done, and its result has expired")
                .fix("use a new key for new work")
                .data(EntryFields.found("noop", expired.entry()));
    }

    /** The answer that a claim would get, as far as reading the entry shows it. */
    Answer dry(@Nullable Entry entry) {
        if (entry == null) {
            return wouldBeGranted();
        }
        Duration left = around.host().now().until(entry.tenure().lease());
        return switch (Forecast.of(entry, request.fingerprints())) {
            case RUNS -> wouldBeGranted();
            case COMPLETE -> replay(new Claim.Replay(entry));
            case FAILED -> replayedFailure(new Claim.ReplayedFailure(entry));
            case IN_FLIGHT -> held(entry, left.isNegative() ? Duration.ZERO : left);
            case IN_DOUBT -> doubtful(entry, entry.doubt());
            case EXPIRED -> expired(new Claim.Expired(entry));
            case CONFLICT -> conflict(new Claim.Conflict(entry));
        };
    }

    private Answer wouldBeGranted() {
        return Answer.ok(EntryFields.call("would_create", request.address())).text("would be granted\n");
    }

    private Suggested suggested() {
        return new Suggested(around.program(), arguments, key());
    }

    private String key() {
        return request.address().key();
    }
}
