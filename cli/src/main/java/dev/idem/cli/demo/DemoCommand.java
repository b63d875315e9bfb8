package dev.idem.cli.demo;

import dev.idem.Entry;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code idem demo}: the same agent, killed and restarted, without Idem and with it. */
public final class DemoCommand {
    /** Not from the environment: a demo must not run in a production ledger by accident. */
    private static final Option LEDGER = Option.of(
            "--ledger", "URL", "runs on this ledger and removes its entries at the end; by default on a temporary one");

    public static final Command COMMAND = Syntax.of(
                    "demo", "shows Idem in ten seconds: an agent is killed and restarted, without Idem and with it")
            .is(Trait.NATURAL)
            .has(LEDGER, Options.JSON, Options.JSON_SHAPE)
            .ends(12)
            .explained("""
            A line for each event, and at a terminal a table that changes with them. With --json one object, at the end.
            The model is a fixed list of tool calls; the agents are processes, the services are asked through HTTP on
            this machine, and the table shows their counts. Nothing is left behind.
            """)
            .does((around, arguments) -> new DemoCommand(around, arguments).run());

    /** The delay of a service's answer at a terminal. */
    private static final Duration PACE = Duration.ofMillis(300);

    private static final String INTRO =
            "A checkout agent charges a card, sends an email and creates an order. The payment "
                    + "service loses its first response; before the last step the agent is killed and started again. The model is "
                    + "a fixed list of these three calls; the processes, the requests, the kills and the counts are real.";

    private final Surroundings around;
    private final Arguments arguments;
    private final String task = "demo-" + UUID.randomUUID();

    private DemoCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    private Answer run() throws IOException {
        String given = arguments.find(LEDGER);
        if (given == null) {
            return answer(null);
        } else if (given.startsWith("memory:")) {
            throw new UsageException("--ledger: what is in memory ends with its process, and the demo kills that");
        }
        // Checks that the ledger can be used, before anything else happens.
        LedgerPlace.open(around, arguments).close();
        Answer answer;
        int left;
        try {
            answer = answer(given);
        } finally {
            // A user who interrupts the demo does not want its entries to stay.
            Thread.interrupted();
            left = forgetAll();
        }
        return left == 0
                ? answer
                : answer.warn("LEFT_OVER", left + " entries of the scope " + task + " may still run, and stay there");
    }

    /** Forgets all entries of the task. Returns how many had to stay, because they may still run. */
    private int forgetAll() {
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            List<Entry> written = ledger.as(Browsable.class)
                    .map(browsable ->
                            browsable.browse(Query.all().withScope(task)).entries())
                    .orElse(List.of());
            return (int) written.stream().filter(entry -> !ledger.forget(entry)).count();
        }
    }

    /** Plays both runs in a temporary folder, on the given ledger or on one in the folder. */
    private Answer answer(@Nullable String given) throws IOException {
        Path folder = Files.createTempDirectory("idem-demo-");
        Show show = Show.to(around, arguments.flag(Options.JSON));
        try {
            String ledger = given == null ? "sqlite:" + folder.resolve("idem.db") : given;
            show.text(INTRO);
            Duration pace = show.live() ? PACE : Duration.ZERO;
            Counted without = new Play(Side.WITHOUT, folder, show).run(pace, ledger, task);
            Counted with = new Play(Side.WITH, folder, show).run(pace, ledger, task);
            return counted(show, without, with);
        } catch (InterruptedException | IllegalStateException e) {
            Integer signal = around.signals().exitCode();
            return signal == null && e instanceof IllegalStateException
                    ? Answer.no(ExitCode.GENERAL_ERROR, "DEMO_FAILED", String.valueOf(e.getMessage()))
                    : Answer.cancelled(
                            signal == null ? ExitCode.INTERRUPTED.number() : signal,
                            false,
                            "the demo was interrupted; what it had started has ended");
        } finally {
            delete(folder);
        }
    }

    /** Ignores missing files: a library of a killed agent may be deleted meanwhile. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    private Answer counted(Show show, Counted without, Counted with) {
        Answer answer = with.onceEach()
                ? Answer.ok("noop")
                : Answer.no(ExitCode.GENERAL_ERROR, "DEMO_FAILED", "with Idem not everything happened once: " + with);
        answer.with("effect", "noop")
                .with("reason", "the demo leaves nothing behind")
                .with("model", "a fixed list of tool calls")
                .with("without", without.fields())
                .with("with", with.fields());
        if (!with.onceEach()) {
            return answer;
        }
        show.end();
        show.text("The services counted " + without.charges() + " charges without Idem, and " + with.charges()
                + " with it. Every try to charge carried the key " + with.key()
                + ", made of the task, the tool and its "
                + "arguments; what was done before the restart was replayed.");
        return answer.text("Now a command of yours, twice: " + around.program() + " run --key hello-1 -- echo sent\n");
    }
}
