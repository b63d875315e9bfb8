package dev.idem.clikit.call;

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
import dev.idem.clikit.Refusal;
import dev.idem.clikit.line.ParsedLine;
import dev.idem.clikit.line.Subject;
import dev.idem.clikit.line.Usage;
import dev.idem.clikit.program.KitOptions;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Shell;
import dev.idem.spi.Doubt;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/** The answer for each outcome of a call. */
public final class OutcomeAnswers implements Outcome.Cases<StoredAnswer, Answer> {

    private final ParsedLine line;
    private final Subject subject;

    OutcomeAnswers(ParsedLine line, Subject subject) {
        this.line = line;
        this.subject = subject;
    }

    @Override
    public Answer done(Outcome.Done<StoredAnswer> done) {
        StoredAnswer kept = done.value();
        return about(Successes.of(done.effect().word(), kept.reason(), null, kept.data()), done.provenance());
    }

    @Override
    public Answer replayed(Outcome.Replayed<StoredAnswer> replayed) {
        StoredAnswer kept = Objects.requireNonNullElse(replayed.value(), StoredAnswer.BY_HAND);
        String reason = "Replayed: a call with this key ran at "
                + replayed.provenance().executedAt() + " (" + kept.effect() + "), and this is its result";
        return about(Successes.of("noop", reason, null, kept.data()), replayed.provenance())
                .replayed()
                .meta("original_effect", kept.effect())
                .meta("original_reason", kept.reason());
    }

    private Answer about(Answer answer, Provenance from) {
        for (Warning warning : from.warnings()) {
            answer.warn(warning.code().name(), warning.message());
        }
        if (line.declaration().mutates()) {
            answer.meta("idempotency_key", from.address().key())
                    .meta("attempt", from.attempt())
                    .meta("executed_at", from.executedAt().toString());
        }
        return answer;
    }

    @Override
    public Answer inFlight(Outcome.InFlight<StoredAnswer> inFlight) {
        return inFlight(inFlight.failure().entry(), inFlight.failure().retryAfter());
    }

    Answer inFlight(Entry entry, Duration pause) {
        String message = "a call with the key '" + key() + "' runs since "
                + entry.times().claimed() + " (attempt " + entry.attempt() + "). Nothing was done by this one";
        return keyed(Answer.no(ExitCode.PRECONDITION, "IN_FLIGHT", message)
                .retryAfter(pause)
                .suggestion(
                        "make the same call again later" + (line.declaration().destroys() ? "" : ", or with --wait")));
    }

    @Override
    public Answer conflict(Outcome.Conflict<StoredAnswer> conflict) {
        return conflict(conflict.failure().entry());
    }

    Answer conflict(Entry entry) {
        String message = "the key '" + key() + "' was first used at "
                + entry.times().created() + " with other arguments. Nothing was done";
        return keyed(Answer.no(ExitCode.CONFLICT, "CONFLICT", message)
                .fix("use a new key for new work, or send the arguments the key was made for"));
    }

    @Override
    public Answer inDoubt(Outcome.InDoubt<StoredAnswer> inDoubt) {
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
                + "). It is unknown whether it took effect, so it was not run again";
        return doubtful(ExitCode.PARTIAL_FAILURE, "IN_DOUBT", message);
    }

    private Answer doubtful(ExitCode exit, String code, String message) {
        Answer answer = keyed(Answer.no(exit, code, message).error("phase", "execution"));
        return line.declaration().sideEffect() == SideEffect.IDEMPOTENT
                ? answer.suggestion("the same call with the same key runs it again, which does no harm")
                : answer.fix("find out whether it took effect, then say so: " + resolving())
                        .suggestion("do not send it with a new key; what the ledger knows: "
                                + line.shellWith(KitOptions.DRY_RUN));
    }

    /** The command with which a person settles the entry. */
    private String resolving() {
        Address address = subject.address();
        List<String> words = List.of(
                "idem", "resolve", address.key(), "--scope", address.scope(), "--operation", address.operation());
        return Shell.line(words) + " --as complete|failed --ledger URL";
    }

    @Override
    public Answer failed(Outcome.Failed<StoredAnswer> failed) {
        Throwable cause = failed.failure();
        if (cause instanceof Refusal refusal) {
            Answer refused = Answer.no(refusal.exit(), refusal.code(), String.valueOf(refusal.getMessage()));
            return failed(refused.retryAfter(refusal.retryAfter()).error("phase", "execution"), cause);
        } else if (cause instanceof ParameterException wrong) {
            return failed(Usage.answer(wrong), cause);
        } else if (cause instanceof LedgerException ledger) {
            return ledger(ledger);
        } else if (cause instanceof OperationFailedException waited) {
            String message = "the call this one waited for failed, and nothing happened: "
                    + waited.failure().message();
            Answer answer = Answer.no(ExitCode.GENERAL_ERROR, "FAILED", message);
            return failed(answer.retryable(waited.mayTryAgain()), cause);
        }
        boolean read = !line.declaration().mutates();
        boolean unreachable = cause instanceof IOException;
        ExitCode exit = isTimeout(cause) && read
                ? ExitCode.TIMEOUT
                : unreachable ? ExitCode.UNAVAILABLE : ExitCode.GENERAL_ERROR;
        Answer answer = Answer.no(exit, "FAILED", describe(cause) + ". Nothing was done");
        return failed(answer.retryable(!read || unreachable), cause);
    }

    private Answer failed(Answer answer, Throwable cause) {
        for (Throwable also : cause.getSuppressed()) {
            if (also instanceof UnrecordedException) {
                answer.warn("UNRECORDED", String.valueOf(also.getMessage()));
            }
        }
        return line.declaration().mutates() ? keyed(answer) : answer;
    }

    @Override
    public Answer expired(Outcome.Expired<StoredAnswer> expired) {
        return expired(expired.failure().entry());
    }

    Answer expired(Entry entry) {
        String message = "the key '" + key() + "' ran at " + entry.times().claimed()
                + " and its result has expired. It was not run again";
        return keyed(Answer.no(ExitCode.CONFLICT, "EXPIRED", message).fix("use a new key for new work"));
    }

    /** The operation is complete. Only its result is missing. */
    @Override
    public Answer unavailable(Outcome.Unavailable<StoredAnswer> unavailable) {
        String reason = "Replayed: a call with this key is complete, but its result can't be replayed";
        return keyed(Successes.of("noop", reason, null, null)
                .warn("NOT_REPLAYABLE", String.valueOf(unavailable.failure().getMessage()))
                .replayed());
    }

    /** The command ran, but its outcome could not be recorded, or another owner has taken over. */
    Answer unrecorded(Throwable why) {
        return doubtful(
                ExitCode.PARTIAL_FAILURE,
                "IN_DOUBT",
                "the command ran, but that could not be recorded: " + why.getMessage());
    }

    /** The ledger failed, so nothing was run. */
    public static Answer ledger(LedgerException why) {
        return Answer.noLedger(why, "the ledger can't be used, so nothing was run");
    }

    private Answer keyed(Answer answer) {
        return answer.meta("idempotency_key", key());
    }

    private String key() {
        return subject.address().key();
    }

    /** Whether it was a time-out. Only the engine interrupts a command, at the end of its time limit. */
    private static boolean isTimeout(Throwable thrown) {
        for (Class<?> at = thrown.getClass(); at != null; at = at.getSuperclass()) {
            if (at.getSimpleName().endsWith("TimeoutException")) {
                return true;
            }
        }
        return thrown instanceof InterruptedException;
    }

    private static String describe(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null || message.isEmpty() ? thrown.getClass().getName() : message;
    }
}
