package dev.idem.clikit.call;

import dev.idem.Entry;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.SideEffect;
import dev.idem.Warning;
import dev.idem.clikit.line.ParsedLine;
import dev.idem.clikit.line.Subject;
import dev.idem.command.Answer;
import dev.idem.command.Forecast;
import dev.idem.spi.Ledger;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Predicts the result of a call from its declared effect, its arguments and the ledger. Writes nothing. */
final class DryRun {
    /** The suggested retry time: it is unknown how long the owner of a running call needs. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final ParsedLine line;
    private final Body body;

    DryRun(ParsedLine line, Body body) {
        this.line = line;
        this.body = body;
    }

    /** The answer without a key: it says that the real call would be refused. */
    Answer withoutKey() throws Exception {
        return would(1).warn("KEY_REQUIRED", Subject.keyRequired(line).lines().get(0));
    }

    Answer answer(Subject subject, Ledger ledger) throws Exception {
        Answer answer = judged(subject, ledger.find(subject.address()).orElse(null))
                .meta("idempotency_key", subject.address().key());
        for (Warning warning : subject.warnings()) {
            answer.warn(warning.code().name(), warning.message());
        }
        return answer;
    }

    private Answer judged(Subject subject, @Nullable Entry entry) throws Exception {
        OutcomeAnswers answers = new OutcomeAnswers(line, subject);
        if (entry == null) {
            return would(1);
        }
        return switch (Forecast.of(entry, subject.fingerprints())) {
            case RUNS -> would(entry.attempt() + 1);
            case COMPLETE ->
                Successes.of(
                                "noop",
                                "Already done: a call with this key is complete since "
                                        + entry.times().settled() + ", and its result would be replayed",
                                List.of(),
                                null)
                        .replayed();
            case FAILED -> answers.failed(new Outcome.Failed<>(new OperationFailedException(entry, true)));
            case IN_FLIGHT -> answers.inFlight(entry, LOOK_AGAIN);
            case IN_DOUBT ->
                line.declaration().sideEffect() == SideEffect.IDEMPOTENT
                        ? would(entry.attempt() + 1)
                        : answers.inDoubt(entry, entry.doubt());
            case EXPIRED -> answers.expired(entry);
            case CONFLICT -> answers.conflict(entry);
        };
    }

    private Answer would(int attempt) throws Exception {
        return Successes.of(line.declaration().wouldBe().word(), null, body.plan(), null)
                .meta("attempt", attempt);
    }
}
