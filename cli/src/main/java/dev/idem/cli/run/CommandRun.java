package dev.idem.cli.run;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Recording;
import dev.idem.cli.run.RunRequest.OnNonzero;
import dev.idem.cli.syntax.Durations;
import dev.idem.command.ExitCode;
import dev.idem.command.Signals;
import dev.idem.spi.Host;
import dev.idem.spi.ProcessRef;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command under a ticket: holds it back until its pid is in the ledger, passes on and records its output, and
 * judges its exit.
 */
final class CommandRun implements Action<CommandResult, Exception> {
    /** The time between TERM and KILL after the time-out. */
    static final Duration KILL_GRACE = Duration.ofSeconds(5);
    /** How long to read output after the command's end, if a remaining process holds it open. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final RunRequest request;
    private final Stdin stdin;
    private final Host host;
    private final Signals signals;
    private final Live live;
    private final Plumbing plumbing;
    private final @Nullable String setsid;
    private final Relay relay = new Relay();
    private boolean heldOpen;
    /** Whether the pipes of the last try are empty, and no other process holds them. */
    private boolean empty;

    CommandRun(
            RunRequest request,
            Stdin stdin,
            Host host,
            Signals signals,
            Live live,
            Plumbing plumbing,
            @Nullable String setsid) {
        this.request = request;
        this.stdin = stdin;
        this.host = host;
        this.signals = signals;
        this.live = live;
        this.plumbing = plumbing;
        this.setsid = setsid;
    }

    /** Whether the output was still open after the command's end, and the rest was not read. */
    boolean outputHeldOpen() {
        return heldOpen;
    }

    @Override
    public CommandResult run(Call call) throws Exception {
        empty = false;
        Conduits conduits = plumbing.take("go " + call.fence());
        try {
            if (conduits == null) {
                // Without a gate the pid can't be recorded in time: from here on a crash is in doubt.
                call.mark("starting");
                beginToListen();
            }
            Child child = start(call, conduits);
            relay.to(child);
            try {
                return guarded(child, conduits == null ? null : conduits.gate(), call);
            } finally {
                signals.ended();
            }
        } finally {
            plumbing.giveBack(conduits, empty);
        }
    }

    private Child start(Call call, @Nullable Conduits conduits) {
        Map<String, String> told = new HashMap<>(Map.of(
                "IDEM_KEY", call.key(),
                "IDEM_FENCE", call.fence().toString(),
                "IDEM_ATTEMPT", Integer.toString(call.attempt())));
        String run = request.labels().get("run");
        if (run != null) {
            told.put("IDEM_RUN_ID", run);
        }
        try {
            return Plumbing.start(() -> Child.start(request.words(), told, stdin.handedOver(), conduits, setsid));
        } catch (IOException e) {
            throw new NotStarted(ExitCode.NOT_EXECUTABLE.number(), "it could not be started: " + e.getMessage(), e);
        } finally {
            if (request.retries() == 0) {
                stdin.close();
            }
        }
    }

    private CommandResult guarded(Child child, @Nullable Gate gate, Call call) throws Exception {
        Recording recording = new Recording(Recording.CAP);
        List<Pump> pumps = List.of(
                new Pump("idem-stdout", child.stdout(), live.out(), recording.stdout()),
                new Pump("idem-stderr", child.stderr(), live.err(), recording.stderr()));
        boolean started = false;
        try {
            pumps.forEach(Pump::start);
            if (gate != null) {
                mark(call, child);
            }
            if (gate != null) {
                beginToListen();
                gate.open();
            }
            started = true;
        } finally {
            if (!started) {
                child.discard();
            }
        }
        return end(child, gate, pumps, recording);
    }

    /** Passes signals to the command from here on; without a gate it runs as soon as it is started. */
    private void beginToListen() {
        if (!signals.handTo(relay::send)) {
            throw new NotStarted(ExitCode.FIRST_SIGNAL, "a signal came before it was started", null);
        }
    }

    /** If the host hides processes, the entry can't name the child, and only the lease counts. */
    private void mark(Call call, Child child) {
        ProcessRef reference = host.process(child.pid()).orElse(null);
        if (reference != null) {
            call.mark("started", reference);
        } else if (child.isAlive()) {
            call.mark("started");
        } else {
            throw new NotStarted(
                    ExitCode.NOT_EXECUTABLE.number(), "its stand-in (pid " + child.pid() + ") ended at once", null);
        }
    }

    private CommandResult end(Child child, @Nullable Gate gate, List<Pump> pumps, Recording recording)
            throws Exception {
        Duration timeout = request.timeout();
        String timedOut = timeout == null || child.endsWithin(timeout) ? null : Durations.words(timeout);
        int exit = timedOut == null ? child.waitFor() : child.stop(KILL_GRACE);
        long from = System.nanoTime();
        boolean allEnded = true;
        for (Pump pump : pumps) {
            allEnded &= pump.ended(LINGER.minusNanos(System.nanoTime() - from));
        }
        heldOpen |= !allEnded;
        if (gate != null && gate.neverPassed()) {
            throw new NotStarted(
                    exit == ExitCode.COMMAND_NOT_FOUND.number() ? exit : ExitCode.NOT_EXECUTABLE.number(),
                    "it could not be started (exit " + exit + " before it began)",
                    null);
        }
        Recorded output = recording.recorded();
        empty = allEnded && output.whole();
        if (timedOut != null) {
            throw doubtful("a time-out after " + timedOut, CommandResult.of(ExitCode.COMMAND_TIMEOUT.number(), output));
        }
        return judge(CommandResult.of(exit, output));
    }

    /** The result, if the command ended with one. */
    private CommandResult judge(CommandResult result) throws CommandDoubtful {
        int exit = result.exitCode();
        if (exit == 0) {
            return result;
        } else if (exit >= ExitCode.FIRST_SIGNAL) {
            throw doubtful("exit " + exit + ", as after signal " + (exit - ExitCode.FIRST_SIGNAL), result);
        } else if (request.failedExits().contains(exit) || request.onNonzero() == OnNonzero.RERUN) {
            throw new CommandFailed(result);
        } else if (request.onNonzero() == OnNonzero.KEEP) {
            return result;
        }
        throw doubtful("exit " + exit, result);
    }

    private CommandDoubtful doubtful(String how, CommandResult result) {
        return new CommandDoubtful(how, request.kept().about(request.words(), result), result);
    }
}
