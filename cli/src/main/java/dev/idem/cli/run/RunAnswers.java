package dev.idem.cli.run;

import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.InFlightException;
import dev.idem.LedgerException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.SideEffect;
import dev.idem.UnrecordedException;
import dev.idem.Warning;
import dev.idem.cli.around.Iso;
import dev.idem.cli.entry.Doubts;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandEnd;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.syntax.Durations;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Clocks;
import dev.idem.spi.Doubt;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of {@code idem run} for each outcome of a call. */
final class RunAnswers implements Outcome.Cases<CommandResult, Answer> {
    private static final String STDIN_NOT_COMPARED =
            "the input on stdin was not compared with that of the first run; a call with --fingerprint stdin from the "
                    + "first run on compares it";

    private final RunRequest request;
    private final Suggested suggested;
    private final Clocks clocks;
    private final Path directory;

    RunAnswers(RunRequest request, Suggested suggested, Clocks clocks, Path directory) {
        this.request = request;
        this.suggested = suggested;
        this.clocks = clocks;
        this.directory = directory;
    }

    @Override
    public Answer done(Outcome.Done<CommandResult> done) {
        return valued(done.value(), done.provenance());
    }

    /** The warning for a key that runs again after its retention. */
    String ranBefore(Entry tombstone) {
        return "'" + key() + "' had run before, at "
                + Iso.local(Doubts.ran(tombstone))
                + ", and its result has expired, so the command ran again. To keep results longer: --ttl";
    }

    @Override
    public Answer replayed(Outcome.Replayed<CommandResult> replayed) {
        return replayed(replayed, false);
    }

    /** One line for people, with all that differs: a script at a pipe makes such calls all day. */
    Answer replayed(Outcome.Replayed<CommandResult> replayed, boolean ignoresInput) {
        CommandResult result = replayed.value();
        String folder = result.folderOtherThan(directory);
        Answer answer = valued(result, replayed.provenance());
        if (folder != null) {
            answer.note(
                    "OTHER_FOLDER",
                    "the command ran in " + folder + "; a call with --fingerprint cwd from the first run on is refused "
                            + "in another folder");
        }
        if (ignoresInput) {
            answer.note("STDIN_NOT_COMPARED", STDIN_NOT_COMPARED);
        }
        return answer.replayed()
                .line("replay of '" + key() + "': it first ran at " + Iso.local(replayed.executedAt()) + " (attempt "
                        + replayed.attempt() + ")" + (folder == null ? "" : " in " + folder + ", not in this folder,")
                        + " and "
                        + (result.resolved()
                                ? result.output().total() == 0
                                        ? "was resolved by hand as complete, so its output is not known"
                                        : "was resolved by hand as complete, with the output that was given then"
                                : "ended with exit " + result.exitCode())
                        + ". The command did not run"
                        + (ignoresInput ? ", and " + STDIN_NOT_COMPARED : ""));
    }

    private Answer valued(CommandResult result, Provenance from) {
        Map<String, @Nullable Object> data = EntryFields.call(from.effect().word(), from.address());
        data.put("attempt", from.attempt());
        data.put("fence", from.fence() == null ? null : from.fence().number());
        EntryFields.addResult(data, result);
        data.put("executed_at", Iso.text(from.executedAt()));
        Answer answer = result.exitCode() == 0
                ? Answer.ok(data)
                : Answer.no(
                                result.exitCode(),
                                "COMMAND_EXIT",
                                "the command ended with exit " + result.exitCode()
                                        + ", which is kept: duplicates get it again")
                        .data(data);
        if (!result.output().whole()) {
            answer.warn(
                    "NOT_REPLAYABLE", result.output().whyNotKept() + ": duplicates get its exit code and no output");
        }
        for (Warning warning : from.warnings()) {
            answer.warn(warning.code().name(), warning.message());
        }
        return answer;
    }

    @Override
    public Answer inFlight(Outcome.InFlight<CommandResult> inFlight) {
        return inFlight(inFlight.failure());
    }

    Answer inFlight(InFlightException why) {
        Entry entry = why.entry();
        Mark mark = entry.tenure().lastMark();
        boolean leased = !why.leaseLeft().isZero();
        String message =
                "'" + key() + "' is in flight: " + entry.tenure().owner().name() + " runs it since "
                        + Iso.local(entry.times().claimed()) + " (attempt " + entry.attempt() + ")"
                        + (mark == null || mark.child() == null
                                ? ""
                                : ", its command is pid " + mark.child().pid())
                        + ". "
                        + (leased
                                ? "Its lease runs for another " + Durations.words(why.leaseLeft())
                                : "Its lease is over, but the command it started still runs")
                        + ". The command did not run; try again later, or wait longer with --wait";
        return Answer.no(ExitCode.IN_FLIGHT, "IN_FLIGHT", message)
                .retryAfter(why.retryAfter())
                .data(EntryFields.found("noop", entry));
    }

    @Override
    public Answer conflict(Outcome.Conflict<CommandResult> conflict) {
        return conflict(conflict.failure().entry());
    }

    Answer conflict(Entry entry) {
        boolean byFolder = request.guard().plain().contains(Sources.CWD);
        return Answer.no(
                        ExitCode.KEY_CONFLICT,
                        "CONFLICT",
                        "the key '" + key() + "' was used for another command"
                                + (byFolder ? ", or in another folder," : "")
                                + " at " + Iso.local(entry.times().created()) + ". The command did not run"
                                + (byFolder
                                        ? ". The folder counts; with --fingerprint argv from the first run on only the "
                                                + "command's words do"
                                        : ""))
                .fix("use a new key for new work, or give the command the key was made for")
                .fixCommand(suggested.show())
                .data(EntryFields.found("noop", entry))
                .line("use a new key for new work; what the key stands for: " + suggested.show());
    }

    @Override
    public Answer inDoubt(Outcome.InDoubt<CommandResult> inDoubt) {
        Throwable cause = inDoubt.failure();
        if (cause instanceof InDoubtException earlier) {
            return inDoubt(earlier.entry(), earlier.doubt());
        }
        Answer answer = cause instanceof CommandEnd end ? ownDoubt(end.result(), cause) : brokenOff(cause);
        return unrecorded(answer, cause);
    }

    Answer inDoubt(Entry entry, Doubt doubt) {
        String message = "'" + key() + "' is in doubt since " + Iso.local(doubt.since()) + ": "
                + Doubts.reason(entry, doubt) + ". It is unknown whether it took effect, so the command did not run";
        Mark mark = entry.tenure().lastMark();
        Answer answer = doubt(ExitCode.IN_DOUBT.number(), "IN_DOUBT", message)
                .data(EntryFields.found("noop", entry))
                .line("known: attempt " + entry.attempt() + " by "
                        + entry.tenure().owner().name() + ", started at "
                        + Iso.local(entry.times().claimed())
                        + (mark == null
                                ? ""
                                : ", last mark '" + mark.name() + "'"
                                        + (mark.child() == null
                                                ? ""
                                                : " (pid " + mark.child().pid() + ")")));
        if (request.probe() != null) {
            Duration grace = request.probeGrace();
            Moment limit = entry.tenure().limit();
            probeLater(answer, grace == null ? limit : limit.plus(grace));
        }
        return waysOn(answer);
    }

    /** Says when a later call will ask the probe; nothing if the probe was asked and did not know. */
    private void probeLater(Answer answer, Moment from) {
        Duration left = clocks.now().until(from);
        if (left.compareTo(RunRequest.NO_LIMIT.dividedBy(2)) > 0) {
            answer.line("the probe is never asked: the doubted run has no time limit; give --timeout");
        } else if (left.compareTo(Duration.ZERO) > 0) {
            answer.line("the probe is asked from "
                    + Iso.local(from.wall().plusMillis(999).truncatedTo(ChronoUnit.SECONDS))
                    + " on, when the doubted run can no longer act; make the same call again in "
                    + Durations.words(left.plusSeconds(1)));
        }
    }

    private Answer ownDoubt(CommandResult result, Throwable cause) {
        int exit = result.exitCode();
        boolean timeout = exit == ExitCode.COMMAND_TIMEOUT.number();
        // The caller declared that this run did nothing; an earlier run is in doubt.
        boolean earlier = cause instanceof CommandFailed;
        String message = "the command ended with "
                + (cause instanceof CommandDoubtful own ? own.how() : cause.getMessage())
                + (earlier
                        ? ", which means that nothing happened this time. But an earlier attempt is in doubt, and this "
                                + "exit says nothing about it, so '" + key() + "' stays in doubt"
                        : ". That does not prove that nothing happened, so '" + key()
                                + "' is now in doubt and will not run again by itself");
        Answer answer = doubt(exit, timeout ? "TIMEOUT" : "IN_DOUBT", message).data(ownRun(null, result));
        waysOn(answer);
        return exit < ExitCode.FIRST_SIGNAL && !timeout && !earlier
                ? answer.line("if exit " + exit + " of this command always means that nothing happened: first "
                        + suggested.resolve("failed") + ", then run it again, from now on with --failed-exits " + exit)
                : answer;
    }

    private Answer brokenOff(Throwable cause) {
        String message = "the command may have run, but watching it broke off: " + cause;
        return waysOn(
                doubt(ExitCode.IN_DOUBT.number(), "IN_DOUBT", message).data(EntryFields.call(null, request.address())));
    }

    /** The command ran and ended, but the ledger has no record. */
    Answer notWritten(Throwable why, @Nullable Object value) {
        CommandResult result = value instanceof CommandResult there ? there : null;
        String message = "the command ran" + (result == null ? "" : " and ended with exit " + result.exitCode())
                + ", but that could not be recorded: " + why.getMessage();
        return waysOn(doubt(ExitCode.IN_DOUBT.number(), "IN_DOUBT", message)
                .data(result == null ? EntryFields.call(null, request.address()) : ownRun(null, result)));
    }

    @Override
    public Answer failed(Outcome.Failed<CommandResult> failed) {
        Throwable cause = failed.failure();
        if (cause instanceof CommandFailed own) {
            int exit = own.result().exitCode();
            String message = "the command ended with exit " + exit + ", which means that nothing happened; '" + key()
                    + "' may run again";
            Answer answer = Answer.no(exit, "COMMAND_FAILED", message).retryable(true);
            return unrecorded(answer.data(ownRun("noop", own.result())), cause);
        } else if (cause instanceof NotStarted notStarted) {
            return notStarted(notStarted);
        } else if (cause instanceof LedgerException ledger) {
            return ledger(ledger);
        } else if (cause instanceof OperationFailedException waited) {
            return waitedForFailure(waited);
        }
        return Answer.no(ExitCode.GENERAL_ERROR, "NOT_STARTED", "the command did not run: " + cause.getMessage())
                .retryable(true)
                .data(EntryFields.call("noop", request.address()));
    }

    private Answer waitedForFailure(OperationFailedException waited) {
        Integer code = CommandFailed.exitCode(waited.failure());
        int exit = code == null ? ExitCode.GENERAL_ERROR.number() : code;
        Map<String, @Nullable Object> data = EntryFields.found("noop", waited.entry());
        data.put("exit_code", code);
        return Answer.no(
                        exit,
                        "COMMAND_FAILED",
                        "the run this call waited for ended with "
                                + (code == null ? waited.failure().message() : "exit " + code)
                                + ", which means that nothing happened; '" + key() + "' may run again")
                .retryable(true)
                .data(data);
    }

    Answer notStarted(NotStarted why) {
        String code = why.exitCode() == ExitCode.COMMAND_NOT_FOUND.number() ? "COMMAND_NOT_FOUND" : "NOT_EXECUTABLE";
        return Answer.no(why.exitCode(), code, why.getMessage() + ". Nothing was run")
                .data(EntryFields.call("noop", request.address()));
    }

    Answer ledger(LedgerException why) {
        return Answer.noLedger(ExitCode.LEDGER, why, "the ledger can't be used, so the command did not run")
                .data(EntryFields.call("noop", request.address()));
    }

    @Override
    public Answer expired(Outcome.Expired<CommandResult> expired) {
        return expired(expired.failure().entry());
    }

    Answer expired(Entry entry) {
        return Answer.no(
                        ExitCode.KEY_CONFLICT,
                        "EXPIRED",
                        "'" + key() + "' ran at "
                                + Iso.local(Doubts.ran(entry))
                                + " and its result has expired. The command did not run again")
                .fix("use a new key for new work")
                .data(EntryFields.found("noop", entry))
                .line("use a new key for new work; to let this one run again: " + suggested.forget());
    }

    @Override
    public Answer unavailable(Outcome.Unavailable<CommandResult> unavailable) {
        return Answer.no(
                        ExitCode.GENERAL_ERROR,
                        "NOT_REPLAYABLE",
                        CommandCodec.reason(String.valueOf(unavailable.failure().getMessage())))
                .data(EntryFields.found("noop", unavailable.failure().entry()))
                .replayed();
    }

    private Map<String, @Nullable Object> ownRun(@Nullable String effect, CommandResult result) {
        Map<String, @Nullable Object> data = EntryFields.call(effect, request.address());
        EntryFields.addResult(data, result);
        return data;
    }

    private Answer unrecorded(Answer answer, Throwable cause) {
        for (Throwable also : cause.getSuppressed()) {
            if (also instanceof UnrecordedException) {
                answer.warn("UNRECORDED", String.valueOf(also.getMessage()));
            }
        }
        return answer;
    }

    private Answer waysOn(Answer answer) {
        answer.line("look at it: " + suggested.show())
                .line("if it did happen: " + suggested.resolve("complete"))
                .line("if it did not happen, so that the same call runs again: " + suggested.resolve("failed"));
        return request.sideEffect() == SideEffect.DESTRUCTIVE
                ? answer
                : answer.line("if running it twice does no harm: make the same call with --on-doubt rerun");
    }

    /** A doubt that only a person can end. */
    private Answer doubt(int exit, String code, String message) {
        return Answer.no(exit, code, message)
                .fix("find out whether it happened, then: " + suggested.resolve("complete") + " or "
                        + suggested.resolve("failed"))
                .fixCommand(suggested.show());
    }

    private String key() {
        return request.address().key();
    }
}
