package dev.idem.cli.run;

import dev.idem.Action;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.SideEffect;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.recorded.Recording;
import dev.idem.command.Terminal;
import dev.idem.spi.Ledger;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs commands under the engine, once for each key. */
public final class RunOnce implements Closeable {
    /** Output grows as JSON or base64; the recording itself has the cap. */
    private static final int LARGEST_RESULT = 8 * Recording.CAP;

    private final Idem idem;
    private final Surroundings around;
    private final Plumbing plumbing;
    private boolean heldOpen;
    private @Nullable Entry ranBefore;

    private RunOnce(Idem idem, Surroundings around, Plumbing plumbing) {
        this.idem = idem;
        this.around = around;
        this.plumbing = plumbing;
    }

    public RunOnce(Idem idem, Surroundings around) {
        this(idem, around, new Plumbing(false));
    }

    /** For a thread that runs many commands one after another: it reuses its pipes until it is closed. */
    public static RunOnce many(Idem idem, Surroundings around) {
        return new RunOnce(idem, around, new Plumbing(true));
    }

    @Override
    public void close() throws IOException {
        plumbing.close();
    }

    /** An engine that keeps commands; it does not close the ledger. */
    public static Idem open(Ledger ledger) {
        return Idem.builder()
                .ledger(ledger)
                .codec(new CommandCodec())
                .largestResult(LARGEST_RESULT)
                .purgeEvery(Duration.ZERO)
                // The fields behind a fingerprint may contain secrets. KeptDetails decides which details are stored.
                .keepDetails(false)
                .quiet()
                .open();
    }

    /**
     * Runs the command of a request, or returns its earlier outcome.
     *
     * @param cannot the reason why it can't be started; null if it can
     */
    public Outcome<CommandResult> attempt(
            RunRequest request,
            Map<String, @Nullable Object> identity,
            Stdin stdin,
            @Nullable NotStarted cannot,
            Live live) {
        CommandRun run =
                new CommandRun(request, stdin, around.host(), around.signals(), live, plumbing, ownGroup(stdin));
        Retrying retrying = new Retrying(run, request, around.signals());
        Action<CommandResult, Exception> action = call -> {
            if (cannot != null) {
                throw cannot;
            }
            CommandResult result;
            try {
                result = request.retries() > 0 ? retrying.run(call) : run.run(call);
            } catch (CommandDoubtful e) {
                // It has exited. What holds its output open may still act.
                if (!run.outputHeldOpen()) {
                    call.remoteEnded();
                }
                throw e;
            }
            return request.kept() == KeptDetails.NOTHING ? result : result.in(around.directory());
        };
        ranBefore = null;
        Outcome<CommandResult> outcome = operation(request, identity).attempt(action);
        while (outcome instanceof Outcome.Expired<CommandResult> expired
                && request.runsAgain(expired.failure().entry())) {
            // If several callers see the tombstone, one removes it; the next claim decides which of them runs.
            ranBefore = expired.failure().entry();
            idem.forget(ranBefore);
            outcome = operation(request, identity).attempt(action);
        }
        heldOpen = run.outputHeldOpen();
        return outcome;
    }

    /** The tombstone of an earlier run of the last command, whose result had expired; null where there was none. */
    @Nullable
    Entry ranBefore() {
        return ranBefore;
    }

    /** Whether the output was still open after the last command's end, and the rest was not read. */
    boolean outputHeldOpen() {
        return heldOpen;
    }

    private Operation<CommandResult> operation(RunRequest request, Map<String, @Nullable Object> identity) {
        Operation<CommandResult> operation = idem.operation(request.address().operation())
                .scope(request.address().scope())
                .key(request.address().key())
                .identity(identity)
                .returning(CommandResult.class)
                .policy(Policy.unset()
                        .staged()
                        .sideEffect(request.sideEffect())
                        .lease(request.lease())
                        .timeLimit(request.timeLimit())
                        .waitFor(request.waitFor()));
        Map<String, String> labels = new TreeMap<>(request.kept().labels(request.words()));
        labels.putAll(request.labels());
        if (request.sideEffect() == SideEffect.DESTRUCTIVE) {
            labels.put(RunRequest.SIDE_EFFECT_LABEL, RunRequest.DESTRUCTIVE);
        }
        for (Map.Entry<String, String> label : labels.entrySet()) {
            operation = operation.label(label.getKey(), label.getValue());
        }
        operation = operation.policy(Policy.unset().retention(request.retention()));
        String probe = request.probe();
        if (probe != null) {
            operation = operation.probe(new ProbeLine(probe, around.directory(), around.env(), request.timeout()));
            Duration grace = request.probeGrace();
            operation =
                    grace == null ? operation : operation.policy(Policy.unset().probeGrace(grace));
        }
        return request.rerunDoubt() ? operation.policy(Policy.unset().rerunOnDoubt()) : operation;
    }

    /** The program for a separate process group; null if the command may read from the terminal. */
    private @Nullable String ownGroup(Stdin stdin) {
        boolean atTerminal = stdin.handedOver().equals(Redirect.INHERIT) && Terminal.isStdin();
        return atTerminal ? null : Executable.find("setsid", around.env());
    }
}
