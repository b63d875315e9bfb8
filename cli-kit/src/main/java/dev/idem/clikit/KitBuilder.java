package dev.idem.clikit;

import dev.idem.IdemBuilder;
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

    /** Where entries live; unless told, {@code IDEM_LEDGER}, or a SQLite file in the user's folder for state. */
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

    /** Where keys are unique: the program's name unless told. A tenant or an account belongs in here. */
    public KitBuilder scope(String name) {
        scope = name;
        return this;
    }

    /** Sets what has a default in Idem itself: lease, time limit, waiting, retention, sealing. */
    public KitBuilder idem(Consumer<IdemBuilder> settings) {
        engine = settings;
        return this;
    }

    /** The environment; this process's unless told. */
    public KitBuilder env(Map<String, String> variables) {
        env = Map.copyOf(variables);
        return this;
    }

    /** Where the envelope goes; stdout unless told. */
    public KitBuilder out(OutputStream stream) {
        out = stream;
        return this;
    }

    /** Where complaints for people go; stderr unless told. */
    public KitBuilder err(OutputStream stream) {
        err = stream;
        return this;
    }

    /** Whether people read stdout; found out unless told. */
    public KitBuilder terminal(boolean people) {
        terminal = people;
        return this;
    }

    /** How long a command may go on after a signal before the call is answered without it; 2 s. */
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
     * @throws UndeclaredCommandException when a command does not say what it does; the message says what to write
     */
    public Kit build() {
        return new Kit(new Program(commandLine), settings());
    }

    /**
     * Runs the program and ends the process with its exit code. Signals are answered with an envelope too, and what
     * commands print goes to stderr, so that stdout holds the envelope alone.
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

    /** Waits for the command to end by itself, and answers in its place if it does not. */
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
        // Not exit(): its hooks may wait for the very command that does not end.
        Runtime.getRuntime().halt(caught.exit());
    }

    private KitSettings settings() {
        return new KitSettings(ledgerUrl, ledger, scope, engine, env, out, err, people(), grace, nanos);
    }

    private boolean people() {
        return terminal != null ? terminal : Terminal.is(1);
    }
}
