package dev.idem.clikit;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.LedgerException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.SideEffect;
import dev.idem.UnrecordedException;
import dev.idem.Warning;
import dev.idem.spi.Doubt;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/** What the caller is told, for each way a call can end. */
final class Endings implements Outcome.Cases<Kept, Answer> {

    private final Line line;
    private final Subject subject;

    Endings(Line line, Subject subject) {
        this.line = line;
        this.subject = subject;
    }

    @Override
    public Answer done(Outcome.Done<Kept> done) {
        Kept kept = done.value();
        Answer answer = Answer.ok().effect(done.effect().word(), kept.reason()).data(kept.data());
        return about(answer, done.provenance(), false);
    }

    @Override
    public Answer replayed(Outcome.Replayed<Kept> replayed) {
        Kept kept = Objects.requireNonNullElse(replayed.value(), Kept.BY_HAND);
        Answer answer =
                Answer.ok().effect("noop", already(kept, replayed.provenance())).data(kept.data());
        return about(answer, replayed.provenance(), true)
                .meta("original_effect", kept.effect())
                .meta("original_reason", kept.reason());
    }

    private static String already(Kept kept, Provenance from) {
        return "Replayed: a call with this key ran at " + from.executedAt() + " (" + kept.effect()
                + "), and this is its result";
    }

    private Answer about(Answer answer, Provenance from, boolean hit) {
        for (Warning warning : from.warnings()) {
            answer.warn(warning.code().name(), warning.message());
        }
        if (line.declaration().mutates()) {
            answer.meta("idempotency_hit", hit)
                    .meta("idempotency_key", from.address().key())
                    .meta("attempt", from.attempt())
                    .meta("executed_at", from.executedAt().toString());
        }
        return answer;
    }

    @Override
    public Answer inFlight(Outcome.InFlight<Kept> inFlight) {
        return inFlight(inFlight.failure().entry(), inFlight.failure().retryAfter());
    }

    Answer inFlight(Entry entry, Duration pause) {
        String message = "a call with the key '" + key() + "' runs since "
                + entry.times().claimed() + " (attempt " + entry.attempt() + "). Nothing was done by this one";
        Problem problem = Problem.of("IN_FLIGHT", message)
                .retryable()
                .retryAfter(pause)
                .suggestion(
                        "make the same call again later" + (line.declaration().destroys() ? "" : ", or with --wait"));
        return Answer.no(ExitCode.PRECONDITION, problem).meta("idempotency_key", key());
    }

    @Override
    public Answer conflict(Outcome.Conflict<Kept> conflict) {
        return conflict(conflict.failure().entry());
    }

    Answer conflict(Entry entry) {
        Problem problem = Problem.of(
                        "CONFLICT",
                        "the key '" + key() + "' was first used at "
                                + entry.times().created() + " with other arguments. Nothing was done")
                .fixRequired("use a new key for new work, or send the arguments the key was made for");
        return Answer.no(ExitCode.CONFLICT, problem).meta("idempotency_key", key());
    }

    @Override
    public Answer inDoubt(Outcome.InDoubt<Kept> inDoubt) {
        Throwable cause = inDoubt.failure();
        if (cause instanceof InDoubtException earlier) {
            return inDoubt(earlier.entry(), earlier.doubt());
        }
        boolean late = isTimeout(cause);
        String message = "it broke off with " + describe(cause)
                + ". That does not prove that nothing happened, so the key '" + key() + "' is now in doubt";
        return doubtful(late ? ExitCode.TIMEOUT : ExitCode.PARTIAL_FAILURE, late ? "TIMEOUT" : "IN_DOUBT", message);
    }

    Answer inDoubt(Entry entry, @Nullable Doubt doubt) {
        String message = "the key '" + key() + "' is in doubt"
                + (doubt == null ? "" : " since " + doubt.since() + ": " + doubt.reason()) + " (attempt "
                + entry.attempt() + ", fence " + entry.fence()
                + "). Nobody knows whether it took effect, so it was not run again";
        return doubtful(ExitCode.PARTIAL_FAILURE, "IN_DOUBT", message);
    }

    private Answer doubtful(ExitCode exit, String code, String message) {
        Problem problem = Problem.of(code, message).execution();
        if (line.declaration().sideEffect() == SideEffect.IDEMPOTENT) {
            problem = problem.suggestion("the same call with the same key runs it again, which does no harm");
        } else {
            problem = problem.fixRequired("find out whether it took effect, then say so: " + resolving())
                    .suggestion("do not send it with a new key; what the ledger knows: "
                            + line.shellWith(KitOptions.DRY_RUN));
        }
        return Answer.no(exit, problem).meta("idempotency_key", key());
    }

    /** The line for a person, who knows the ledger and has found out; complete or failed is theirs to say. */
    private String resolving() {
        Address address = subject.address();
        List<String> words = List.of(
                "idem", "resolve", address.key(), "--scope", address.scope(), "--operation", address.operation());
        return Shell.line(words) + " --as complete|failed --ledger URL";
    }

    @Override
    public Answer failed(Outcome.Failed<Kept> failed) {
        Throwable cause = failed.failure();
        if (cause instanceof Refusal refusal) {
            Problem problem = Problem.of(refusal.code(), String.valueOf(refusal.getMessage()))
                    .retryable(refusal.exit().retryable())
                    .retryAfter(refusal.exit().retryable() ? refusal.retryAfter() : null)
                    .execution();
            return failed(refusal.exit(), problem, cause);
        } else if (cause instanceof ParameterException wrong) {
            return failed(ExitCode.ARG_ERROR, Usage.problem(wrong), cause);
        } else if (cause instanceof LedgerException ledger) {
            return ledger(ledger);
        } else if (cause instanceof OperationFailedException waited) {
            return failed(
                    ExitCode.GENERAL_ERROR,
                    Problem.of(
                                    "FAILED",
                                    "the call this one waited for failed, and nothing happened: "
                                            + waited.failure().message())
                            .retryable(waited.mayTryAgain()),
                    cause);
        }
        ExitCode exit = unreachable(cause) ? ExitCode.UNAVAILABLE : ExitCode.GENERAL_ERROR;
        boolean read = !line.declaration().mutates();
        return failed(
                isTimeout(cause) && read ? ExitCode.TIMEOUT : exit,
                Problem.of("FAILED", describe(cause) + ". Nothing was done").retryable(!read || exit.retryable()),
                cause);
    }

    private Answer failed(ExitCode exit, Problem problem, Throwable cause) {
        Answer answer = Answer.no(exit, problem);
        for (Throwable also : cause.getSuppressed()) {
            if (also instanceof UnrecordedException) {
                answer.warn("UNRECORDED", String.valueOf(also.getMessage()));
            }
        }
        return line.declaration().mutates() ? answer.meta("idempotency_key", key()) : answer;
    }

    @Override
    public Answer expired(Outcome.Expired<Kept> expired) {
        return expired(expired.failure().entry());
    }

    Answer expired(Entry entry) {
        Problem problem = Problem.of(
                        "EXPIRED",
                        "the key '" + key() + "' ran at " + entry.times().claimed()
                                + " and its result has expired. It was not run again")
                .fixRequired("use a new key for new work");
        return Answer.no(ExitCode.CONFLICT, problem).meta("idempotency_key", key());
    }

    /** It is complete, which is what the caller wants; only its result is not there. */
    @Override
    public Answer unavailable(Outcome.Unavailable<Kept> unavailable) {
        String why = String.valueOf(unavailable.failure().getMessage());
        return Answer.ok()
                .effect("noop", "Replayed: a call with this key is complete, but its result can't be given again")
                .warn("NOT_REPLAYABLE", why)
                .meta("idempotency_hit", true)
                .meta("idempotency_key", key());
    }

    /** The command ran, and the ledger could not be told or has gone on without it. */
    Answer unrecorded(Throwable why) {
        return doubtful(
                ExitCode.PARTIAL_FAILURE,
                "IN_DOUBT",
                "the command ran, but that could not be recorded: " + why.getMessage());
    }

    /** The ledger did not do its part, so nothing was run. */
    static Answer ledger(LedgerException why) {
        boolean later = why.mayTryAgain();
        Problem problem = Problem.of(
                        later ? "LEDGER_UNAVAILABLE" : "LEDGER_UNREADABLE",
                        "the ledger can't be used, so nothing was run: " + why.getMessage())
                .retryable(later);
        return Answer.no(later ? ExitCode.UNAVAILABLE : ExitCode.GENERAL_ERROR, problem);
    }

    private String key() {
        return subject.address().key();
    }

    /** Whether time ran out; nobody but the engine interrupts a command, and it does so when its time limit is over. */
    private static boolean isTimeout(Throwable thrown) {
        for (Class<?> at = thrown.getClass(); at != null; at = at.getSuperclass()) {
            if (at.getSimpleName().endsWith("TimeoutException")) {
                return true;
            }
        }
        return thrown instanceof InterruptedException;
    }

    private static boolean unreachable(Throwable thrown) {
        return thrown instanceof IOException;
    }

    private static String describe(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null || message.isEmpty() ? thrown.getClass().getName() : message;
    }
}
