package dev.idem.clikit.call;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.SideEffect;
import dev.idem.clikit.line.BadArguments;
import dev.idem.clikit.line.GivenArguments;
import dev.idem.clikit.line.ParsedLine;
import dev.idem.clikit.line.Subject;
import dev.idem.clikit.program.KitOptions;
import dev.idem.clikit.program.ManifestCommand;
import dev.idem.command.Answer;
import dev.idem.spi.Ledger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handles one command line: checks it, then plans or runs the command. */
public final class Invocation {
    private final KitSettings settings;
    private final String program;
    private final Interruption interruption;

    public Invocation(KitSettings settings, String program, Interruption interruption) {
        this.settings = settings;
        this.program = program;
        this.interruption = interruption;
    }

    public Answer answer(ParsedLine line) throws Exception {
        Body body = new Body(line);
        check(line, body);
        Running running = new Running(line, body, interruption);
        if (line.declaration().sideEffect() == SideEffect.READ) {
            return read(line, running);
        }
        if (line.dryRun()) {
            return dryRun(line, new DryRun(line, body));
        }
        Subject subject = Subject.of(line, settings.scope(program), settings.env());
        if (line.declaration().destroys() && !line.confirmed()) {
            throw new BadArguments(unconfirmed(body), null);
        }
        Answer answer = closing(settings.open(program), idem -> running.answer(idem, subject));
        subject.warnings().forEach(warning -> answer.warn(warning.code().name(), warning.message()));
        return line.confirmed() ? answer.meta("confirmed", true) : answer;
    }

    /** Closes Idem after the call. The answer stays, even if the ledger can't be closed. */
    public static Answer closing(Idem idem, Function<Idem, Answer> call) {
        Answer answer;
        try {
            answer = call.apply(idem);
        } catch (RuntimeException | Error thrown) {
            try (idem) {
                throw thrown;
            }
        }
        try (idem) {
            return answer;
        } catch (RuntimeException e) {
            return answer.warn("LEDGER_NOT_CLOSED", "the ledger could not be closed: " + e.getMessage());
        }
    }

    /** Checks the whole line before anything happens. */
    private static void check(ParsedLine line, Body body) {
        String shape = line.option(KitOptions.JSON_SHAPE);
        if (shape != null && !List.of("flat", "envelope").contains(shape.toLowerCase(Locale.ROOT))) {
            throw new BadArguments(KitOptions.JSON_SHAPE + " is envelope or flat, not '" + shape + "'");
        }
        if (line.declaration().mutates() && !line.declaration().destroys()) {
            line.waits();
        }
        List<String> problems = body.problems();
        if (!problems.isEmpty()) {
            throw new BadArguments(
                    BadArguments.answer("USAGE", String.join("; ", problems) + ". Nothing was done")
                            .error("problems", problems)
                            .fix("correct the arguments"),
                    null);
        }
    }

    /** A READ is not claimed, so it needs no ledger. */
    private static Answer read(ParsedLine line, Running running) {
        Subject unkeyed = new Subject(
                new Address("read", line.declaration().operation(), "read"),
                new GivenArguments(Map.of(), Map.of()),
                Map.of(),
                List.of());
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            Answer answer = running.answer(idem, unkeyed);
            Map<String, @Nullable Object> data = answer.data();
            if (data != null && line.spec().userObject() instanceof ManifestCommand) {
                // The specification fixes the members of a manifest.
                data.remove("effect");
            }
            return answer;
        }
    }

    private Answer dryRun(ParsedLine line, DryRun dryRun) throws Exception {
        Subject subject = Subject.find(line, settings.scope(program), settings.env());
        if (subject == null) {
            return dryRun.withoutKey();
        }
        try (Idem idem = settings.open(program)) {
            Ledger ledger = idem.ledger();
            return dryRun.answer(subject, ledger);
        }
    }

    private static Answer unconfirmed(Body body) throws Exception {
        return BadArguments.answer(
                        "CONFIRMATION_REQUIRED",
                        "this removes something for good, so it was not done without " + KitOptions.CONFIRM)
                .fix("look at what would be affected, then add " + KitOptions.CONFIRM)
                .error("danger_level", "destructive")
                .error("would_affect", body.plan());
    }
}
