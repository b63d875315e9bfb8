package dev.idem.cli.run;

import dev.idem.Entry;
import dev.idem.InFlightException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.command.Answer;
import dev.idem.command.Forecast;
import dev.idem.command.Shell;
import dev.idem.spi.Doubt;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Predicts the result of a call from the ledger. */
public final class DryRun {
    private final RunRequest request;
    private final RunAnswers answers;
    private final Host host;

    public DryRun(RunRequest request, RunAnswers answers, Host host) {
        this.request = request;
        this.answers = answers;
        this.host = host;
    }

    public Answer answer(Optional<Entry> found, Fingerprints fingerprints, @Nullable NotStarted cannot) {
        Entry entry = found.orElse(null);
        if (entry == null) {
            return cannot == null ? wouldRun(1) : answers.notStarted(cannot);
        }
        return switch (Forecast.of(entry, fingerprints)) {
            case RUNS -> cannot == null ? wouldRun(entry.attempt() + 1) : answers.notStarted(cannot);
            case COMPLETE -> done(entry);
            case FAILED -> answers.failed(new Outcome.Failed<>(new OperationFailedException(entry, true)));
            case IN_FLIGHT -> inFlight(entry);
            case IN_DOUBT -> childLives(entry) ? inFlight(entry) : inDoubt(entry);
            case EXPIRED -> request.runsAgain(entry) ? wouldRun(1) : answers.expired(entry);
            case CONFLICT -> answers.conflict(entry);
        };
    }

    private Answer inFlight(Entry entry) {
        Duration left = host.now().until(entry.tenure().lease());
        return answers.inFlight(new InFlightException(entry, left.isNegative() ? Duration.ZERO : left));
    }

    private Answer inDoubt(Entry entry) {
        Doubt doubt = entry.doubt();
        return request.rerunsDoubt() || doubt == null ? wouldRun(entry.attempt() + 1) : answers.inDoubt(entry, doubt);
    }

    private boolean childLives(Entry entry) {
        ProcessRef child = entry.tenure().child();
        return child != null && host.of(child) == Processes.Life.ALIVE;
    }

    private Answer wouldRun(int attempt) {
        return Answer.ok(EntryFields.call("would_create", request.address()))
                .with("attempt", attempt)
                .with("command", request.words())
                .text("would run (attempt " + attempt + "): " + Shell.line(request.words()) + "\n");
    }

    private static Answer done(Entry entry) {
        String reason = "it is complete since " + entry.times().settled();
        return Answer.ok(EntryFields.found("noop", entry))
                .with("reason", reason)
                .text("would not run: " + reason + "; its result would be replayed\n");
    }
}
