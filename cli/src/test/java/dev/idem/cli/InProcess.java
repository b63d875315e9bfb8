package dev.idem.cli;

import dev.idem.Json;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.around.Surroundings;
import dev.idem.command.Signals;
import dev.idem.spi.Clocks;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.FaultyLedger;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command line inside the test's own process, on one memory ledger; real commands are run. */
final class InProcess {
    final Host host = Host.system();
    /** The ledger's clocks: those of the host, which a test can let run ahead. */
    final Ahead clocks = new Ahead();

    final MemoryLedger ledger = new MemoryLedger(new LedgerContext(clocks, host));
    /** What every call is handed; it does not close the ledger behind it. */
    FaultyLedger handle = new FaultyLedger(ledger);

    final Map<String, String> env = new HashMap<>(Map.of("PATH", System.getenv("PATH"), "COLUMNS", "120"));
    final Path directory;
    byte[] stdin = {};
    /** The same, as a command gets it. */
    File stdinFile = new File("/dev/null");
    /** Whether the ledger can't even be opened. */
    boolean unreachable;
    /** How many times it can't be opened before it can. */
    int unreachableTimes;
    /** Whether the ledger is opened, and can't be read. */
    boolean unreadable;

    /** The number of a signal that comes as soon as a call has begun; 0 for none. */
    int signal;

    /** What receives the signals of the call that runs. */
    Signals signals = new Signals(Thread.currentThread());

    /** A signal comes when the next call is at this point of its use of the ledger. */
    void signalAt(FaultyLedger.Point point) {
        handle.at(point, () -> signals.receive("TERM", 15));
    }

    /** A person at a terminal without colours, unless a test says otherwise. */
    OutputStyle style = new OutputStyle(true, false, false);

    InProcess(Path directory) {
        this.directory = directory;
    }

    /** The host's clocks, and some time that is said to have passed. */
    final class Ahead implements Clocks {
        private Duration by = Duration.ZERO;

        void advance(Duration time) {
            by = by.plus(time);
        }

        @Override
        public Moment now() {
            return host.now().plus(by);
        }
    }

    /** How a call ended. */
    @SuppressWarnings("ArrayRecordComponent") // read, never compared
    record Ran(int exit, byte[] stdout, byte[] stderr) {
        String out() {
            return new String(stdout, StandardCharsets.UTF_8);
        }

        String err() {
            return new String(stderr, StandardCharsets.UTF_8);
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> json() {
            return (Map<String, Object>) Json.parse(stdout);
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> data() {
            return (Map<String, Object>) json().get("data");
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> error() {
            return (Map<String, Object>) json().get("error");
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> meta() {
            return (Map<String, Object>) json().get("meta");
        }
    }

    Ran idem(String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        signals = new Signals(Thread.currentThread());
        if (signal > 0) {
            signals.receive("TERM", signal);
        }
        Surroundings around = new Surroundings(
                () -> {},
                env,
                directory,
                Redirect.from(stdinFile),
                new ByteArrayInputStream(stdin),
                out,
                err,
                style,
                (url, readOnly) -> {
                    if (unreachable || unreachableTimes-- > 0) {
                        throw new LedgerUnavailableException("nobody answers", null);
                    } else if (unreadable) {
                        throw new LedgerUnreadableException("torn", null);
                    }
                    if (!url.startsWith("test:")) {
                        throw new IllegalArgumentException("no ledger for '" + url + "'");
                    }
                    return handle;
                },
                host,
                signals,
                "idem",
                System::nanoTime);
        env.putIfAbsent("IDEM_LEDGER", "test:");
        int exit = new CommandLine(around).run(List.of(words));
        // A signal leaves its mark on the thread that was called.
        Thread.interrupted();
        return new Ran(exit, out.toByteArray(), err.toByteArray());
    }
}
