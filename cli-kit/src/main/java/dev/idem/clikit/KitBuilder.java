package dev.idem.clikit;

import dev.idem.IdemBuilder;
import dev.idem.clikit.call.Interruption;
import dev.idem.clikit.call.KitSettings;
import dev.idem.clikit.call.Voice;
import dev.idem.clikit.program.Program;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Signals;
import dev.idem.command.SystemSignals;
import dev.idem.command.Terminal;
import dev.idem.spi.Ledger;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Makes a {@link Kit}. Everything has a default. */
public final class KitBuilder {
    private final CommandLine commandLine;
    private @Nullable String ledgerUrl;
    private @Nullable Ledger ledger;
    private @Nullable String scope;
    private Consumer<IdemBuilder> engine = builder -> {};
    private Map<String, String> env = System.getenv();
    private OutputStream out = new FileOutputStream(FileDescriptor.out);
    private OutputStream err = new FileOutputStream(FileDescriptor.err);
    private @Nullable Boolean terminal;
    private Duration grace = Duration.ofSeconds(2);
    private LongSupplier nanos = System::nanoTime;

    KitBuilder(CommandLine commandLine) {
        this.commandLine = commandLine;
    }

    /** The ledger; by default {@code IDEM_LEDGER}, or a SQLite file in the user's state folder. */
    public KitBuilder ledger(String url) {
        ledgerUrl = url;
        ledger = null;
        return this;
    }

    /** A ledger that the caller has opened and will close. */
    public KitBuilder ledger(Ledger opened) {
        ledger = opened;
        ledgerUrl = null;
        return this;
    }

    /** The scope of keys; by default the program's name. Use it for a tenant or an account. */
    public KitBuilder scope(String name) {
        scope = name;
        return this;
    }

    /** Changes the settings of Idem itself: lease, time limit, waiting, retention, sealing. */
    public KitBuilder idem(Consumer<IdemBuilder> settings) {
        engine = settings;
        return this;
    }

    /** The environment; by default that of this process. */
    public KitBuilder env(Map<String, String> variables) {
        env = Map.copyOf(variables);
        return this;
    }

    /** The stream for the envelope; by default stdout. */
    public KitBuilder out(OutputStream stream) {
        out = stream;
        return this;
    }

    /** The stream for messages to people; by default stderr. */
    public KitBuilder err(OutputStream stream) {
        err = stream;
        return this;
    }

    /** Whether stdout is a terminal; by default detected. */
    public KitBuilder terminal(boolean people) {
        terminal = people;
        return this;
    }

    /** How long a command may continue after a signal before the call ends without it; by default 2 s. */
    public KitBuilder grace(Duration time) {
        grace = time;
        return this;
    }

    /** The monotonic clock of this process, in nanoseconds. */
    public KitBuilder nanos(LongSupplier clock) {
        nanos = clock;
        return this;
    }

    /**
     * The kit, with its options added to every command.
     *
     * @throws UndeclaredCommandException if a command has no declaration; the message shows the line to add
     */
    public Kit build() {
        return new Kit(new Program(commandLine), settings());
    }

    /**
     * Runs the program and ends the process with its exit code. After a signal it writes an envelope too. Output of the
     * commands themselves goes to stderr, so that stdout holds only the envelope.
     */
    public void runAndExit(String... args) {
        List<String> words = List.of(args);
        System.setOut(System.err);
        Interruption interruption = new Interruption(Thread.currentThread());
        Kit kit;
        try {
            kit = build();
        } catch (UndeclaredCommandException e) {
            Answer answer = Answer.no(ExitCode.GENERAL_ERROR, "UNDECLARED_COMMAND", String.valueOf(e.getMessage()));
            new Voice(commandLine.getCommandName(), out, err, people()).say(answer, words, 0);
            System.exit(answer.exit());
            return;
        }
        long from = nanos.getAsLong();
        SystemSignals.sendTo((name, number) -> {
            interruption.receive(name, number);
            end(kit, interruption, words, from);
        });
        System.exit(kit.run(words, interruption));
    }

    /** Waits for the end of the command, and answers without it if it does not end. */
    private static void end(Kit kit, Interruption interruption, List<String> words, long from) {
        Signals.Caught caught = interruption.caught();
        try {
            boolean ended = interruption.ended().await(kit.settings().grace().toNanos(), TimeUnit.NANOSECONDS);
            if (ended || caught == null || !interruption.mayAnswer()) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        kit.say(interruption.answer(caught, null), words, from);
        // Not exit(): its hooks may wait for the command that does not end.
        Runtime.getRuntime().halt(caught.exit());
    }

    private KitSettings settings() {
        return new KitSettings(ledgerUrl, ledger, scope, engine, env, out, err, people(), grace, nanos);
    }

    private boolean people() {
        return terminal != null ? terminal : Terminal.is(1);
    }
}
