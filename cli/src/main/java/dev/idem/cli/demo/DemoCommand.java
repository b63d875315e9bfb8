package dev.idem.cli.demo;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.DemoSyntax;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code idem demo}: the same agent, killed and restarted, without Idem and with it. */
public final class DemoCommand {
    /** How long a service takes to answer where people watch. */
    private static final Duration PACE = Duration.ofMillis(300);

    private static final String INTRO =
            "A checkout agent charges a card, sends an email and creates an order. The payment "
                    + "service loses its first response; before the last step the agent is killed and started again. The model is "
                    + "a fixed list of these three calls; the processes, the requests, the kills and the counts are real.";

    private final Surroundings around;
    private final Arguments arguments;
    private final String task = "demo-" + UUID.randomUUID();

    public DemoCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    public Answer run() throws IOException {
        String given = arguments.find(DemoSyntax.LEDGER);
        if (given == null) {
            try (Scratch scratch = Scratch.make()) {
                return answer(scratch, "sqlite:" + scratch.folder().resolve("idem.db"));
            }
        }
        Guest guest = new Guest(around, arguments, task);
        guest.arrive();
        Answer answer;
        int stay;
        try (Scratch scratch = Scratch.make()) {
            answer = answer(scratch, given);
        } finally {
            // Whoever interrupts the demo does not want its entries to stay.
            Thread.interrupted();
            stay = guest.leave();
        }
        return stay == 0
                ? answer
                : answer.warn("LEFT_OVER", stay + " entries of the scope " + task + " may still run, and stay there");
    }

    private Answer answer(Scratch scratch, String ledger) throws IOException {
        Show show = Show.to(around, arguments.flag(Syntaxes.JSON));
        try {
            show.text(INTRO);
            Duration pace = show.live() ? PACE : Duration.ZERO;
            Counted without = new Play(Side.WITHOUT, scratch.folder(), show).run(pace, ledger, task);
            Counted with = new Play(Side.WITH, scratch.folder(), show).run(pace, ledger, task);
            return counted(show, without, with);
        } catch (InterruptedException e) {
            return interrupted();
        } catch (AgentFailed e) {
            return around.signals().exitCode() == null
                    ? Answer.no(ExitCode.GENERAL_ERROR, "DEMO_FAILED", String.valueOf(e.getMessage()))
                    : interrupted();
        }
    }

    private Answer interrupted() {
        Integer signal = around.signals().exitCode();
        return Answer.no(
                signal == null ? ExitCode.GENERAL_ERROR.number() : signal,
                "INTERRUPTED",
                "the demo was interrupted; what it had started has ended");
    }

    private Answer counted(Show show, Counted without, Counted with) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("effect", "noop");
        data.put("reason", "the demo leaves nothing behind");
        data.put("model", "a fixed list of tool calls");
        data.put("without", without.fields());
        data.put("with", with.fields());
        if (!with.onceEach()) {
            return Answer.no(ExitCode.GENERAL_ERROR, "DEMO_FAILED", "with Idem not everything happened once: " + with)
                    .data(data);
        }
        show.end();
        show.text("The services counted " + without.charges() + " charges without Idem, and " + with.charges()
                + " with it. Every try to charge carried the key " + with.key()
                + ", made of the task, the tool and its "
                + "arguments; what was done before the restart was replayed.");
        return Answer.ok(data)
                .text("Now a command of yours, twice: " + around.program() + " run --key hello-1 -- echo sent\n");
    }
}
