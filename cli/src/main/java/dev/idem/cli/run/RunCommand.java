package dev.idem.cli.run;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.LedgerException;
import dev.idem.Outcome;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.WaitInterruptedException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.command.OccasionalPurge;
import dev.idem.command.Terminal;
import dev.idem.internal.key.Fingerprint;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code idem run}. */
public final class RunCommand {
    /** Not from the environment: {@code IDEM_KEY} tells a command the key of the call around it. */
    private static final Option KEY = Option.of(
                    "--key", "K", "names this piece of work: 1-255 visible ASCII characters")
            .withAlias("--idempotency-key");

    static final Option KEY_FROM = Option.of(
                    "--key-from",
                    "LIST",
                    "derives the key from argv, stdin, env:NAME, file:PATH, separated by commas, and the scope; in place of --key")
            .byEnv();

    public static final Command COMMAND = Syntax.of(
                    "run", "runs a command once; every later call with the same key gets the same output and exit code")
            .running()
            .is(Danger.MUTATING, Trait.NATURAL, Trait.PASSES_EXIT_ON, Trait.READS_ALL)
            .has(KEY, KEY_FROM, Options.SCOPE)
            .has(RunRequest.GUARDING, RunRequest.FINGERPRINT)
            .has(RunRequest.KEEPING, Options.QUIET, Options.JSON, Options.JSON_SHAPE, Options.STATUS_FILE)
            .has(Options.LEDGER, Options.SEAL_KEYS)
            .ends(80, 81, 82, 83, 124, 126, 127)
            .explained("""
            TIME is a number and a unit: 500ms, 60s, 5m, 2h, 7d.
            The command is told IDEM_KEY, IDEM_FENCE and IDEM_ATTEMPT.

            A non-zero exit does not prove that nothing happened, so by default it leaves the key in doubt, and an
            entry in doubt is never run again by itself. Exits of 128 and above are always in doubt.

            Exit codes: the command's own, or
              80  in flight: another call still runs it     81  in doubt: it is unknown whether it happened
              82  the key was used for something else       83  the ledger can't be used; the command did not run
             124  time-out (in doubt)                 126, 127  the command can't be started; nothing is recorded
               2  wrong arguments; nothing was run           1  it is complete, but its result can't be replayed
            """)
            .does((around, arguments) -> new RunCommand(around, arguments).run());

    private final Surroundings around;
    private final Arguments arguments;
    private final @Nullable Sources keyFrom;
    private final Live live;
    private RunRequest request;
    private RunAnswers answers;

    /** Checks the line; throws a {@link UsageException} when a value makes no sense. */
    private RunCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.live = Live.to(around, arguments.flag(Options.JSON));
        String from = arguments.find(KEY_FROM);
        if (from != null && arguments.flag(KEY)) {
            throw new UsageException("give --key or --key-from, not both");
        }
        this.keyFrom = from == null ? null : Sources.ofKey(from, arguments.source(KEY_FROM));
        if (from == null && !arguments.flag(KEY)) {
            throw new UsageException("run needs a key: give --key K to name this piece of work, or --key-from argv to "
                    + "make one of the command's words");
        }
        this.request = RunRequest.of(arguments, from == null ? arguments.value(KEY) : "derived");
        this.answers = answers();
    }

    private RunAnswers answers() {
        return new RunAnswers(
                request,
                new Suggested(around.program(), arguments, request.address().key()),
                around.host(),
                around.directory());
    }

    private Answer run() throws IOException {
        Answer answer;
        try {
            answer = answer();
        } catch (IOException | RuntimeException e) {
            live.delivered(around.signals());
            throw e;
        }
        // The ledger is closed by now: a slow reader does not block other processes.
        return live.delivered(around.signals())
                ? answer
                : answer.warn(
                        "OUTPUT_NOT_DELIVERED",
                        "a signal came before all output was read. What the command wrote is recorded as far as it is "
                                + "not too large: the same call replays it");
    }

    private Answer answer() throws IOException {
        NotStarted cannot = Executable.whyNot(request.words().get(0), around.directory(), around.env());
        try (Stdin stdin = readsStdin() ? Stdin.copied(around.in()) : Stdin.untouched(around.stdin())) {
            if (keyFrom != null) {
                String scope = request.address().scope();
                String key = keyFrom.key(scope, request.words(), stdin.digest(), around.directory(), around.env());
                request = request.with(new Address(scope, RunRequest.OPERATION, key), request.words());
                answers = answers();
            }
            return on(stdin, cannot);
        } catch (LedgerException e) {
            return interruptedOr(answers.ledger(e));
        }
    }

    /** Whether to copy stdin: a second try would find nothing left to read. */
    private boolean readsStdin() {
        return comparesStdin() || (request.retries() > 0 && !Terminal.isStdin());
    }

    /** Whether another input is another call. */
    private boolean comparesStdin() {
        return request.guard().stdin() || (keyFrom != null && keyFrom.stdin());
    }

    private Answer on(Stdin stdin, @Nullable NotStarted cannot) {
        Map<String, @Nullable Object> identity =
                request.guard().identity(request.words(), around.directory(), stdin.digest(), around.env());
        // Before the ledger is opened: its driver is still being loaded.
        Fingerprints mine =
                new Fingerprints(Fingerprint.of(request.address().scope(), RunRequest.OPERATION, identity), null);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (arguments.flag(Options.DRY_RUN)) {
                return new DryRun(request, answers, around.host()).answer(ledger.find(request.address()), mine, cannot);
            }
            if (cannot != null && free(ledger.find(request.address()))) {
                return answers.notStarted(cannot);
            }
            return attempt(ledger, identity, stdin, cannot);
        }
    }

    /** Whether the command would run. A duplicate is answered even if the command can't be started. */
    private boolean free(Optional<Entry> found) {
        return found.isEmpty()
                || found.get().state() == State.FAILED
                || (found.get().state() == State.EXPIRED && request.runsAgain(found.get()));
    }

    private Answer attempt(
            Ledger ledger, Map<String, @Nullable Object> identity, Stdin stdin, @Nullable NotStarted cannot) {
        try (Idem idem = RunOnce.open(ledger)) {
            RunOnce once = new RunOnce(idem, around);
            try {
                Outcome<CommandResult> outcome = once.attempt(request, identity, stdin, cannot, live);
                if (outcome instanceof Outcome.Replayed<CommandResult> replayed && !arguments.flag(Options.JSON)) {
                    live.replay(replayed.value().output());
                }
                Answer answer = interruptedOr(
                        outcome instanceof Outcome.Replayed<CommandResult> replayed
                                ? answers.replayed(replayed, !comparesStdin() && stdin.mayHoldInput())
                                : outcome.match(answers));
                if (ran(outcome)) {
                    tellRanBefore(once, answer);
                }
                if (once.outputHeldOpen()) {
                    answer.warn(
                            "OUTPUT_HELD_OPEN",
                            "something the command left running still holds its output; what it writes from now on is "
                                    + "not recorded");
                }
                OccasionalPurge.after(outcome, ledger);
                return answer;
            } catch (UnrecordedException e) {
                return tellRanBefore(once, answers.notWritten(e, e.value()));
            } catch (StaleTicketException e) {
                return tellRanBefore(once, answers.notWritten(e, e.value()));
            } catch (WaitInterruptedException e) {
                return interruptedOr(Answer.no(ExitCode.GENERAL_ERROR, "CANCELLED", String.valueOf(e.getMessage()))
                        .retryable(true));
            }
        }
    }

    private static boolean ran(Outcome<CommandResult> outcome) {
        return outcome instanceof Outcome.Done<CommandResult>
                || (outcome instanceof Outcome.InDoubt<CommandResult> doubt
                        && !(doubt.failure() instanceof InDoubtException))
                || (outcome instanceof Outcome.Failed<CommandResult> failed
                        && failed.failure() instanceof CommandFailed);
    }

    private Answer tellRanBefore(RunOnce once, Answer answer) {
        Entry before = once.ranBefore();
        return before == null ? answer : answer.line(answers.ranBefore(before));
    }

    /** A signal before the start of the command is the answer. */
    private Answer interruptedOr(Answer answer) {
        Integer exit = around.signals().exitCode();
        if (exit == null) {
            return answer;
        }
        return Answer.cancelled(exit, false, "interrupted before the command ran. Nothing was run")
                .retryable(true)
                .data(EntryFields.call("noop", request.address()));
    }
}
