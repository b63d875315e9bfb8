package dev.idem.cli.batch;

import dev.idem.Idem;
import dev.idem.call.Outcome;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.envelope.Answer;
import dev.idem.cli.envelope.Exit;
import dev.idem.cli.envelope.Problem;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.run.Executable;
import dev.idem.cli.run.RunOnce;
import dev.idem.cli.run.RunRequest;
import dev.idem.cli.run.Stdin;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.BatchSyntax;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UsageException;
import dev.idem.entry.State;
import dev.idem.error.LedgerException;
import dev.idem.error.StaleTicketException;
import dev.idem.error.UnrecordedException;
import dev.idem.error.WaitInterruptedException;
import dev.idem.ledger.Ledger;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code idem batch}: one line, one item, one command, once each. What was done is in the ledger, so a batch that was cut
 * short goes on by being called again.
 */
public final class BatchCommand {
    private static final RunOnce.Live RECORDED = new RunOnce.Live(null, null);

    private final Surroundings around;
    private final Arguments arguments;
    private final RunRequest template;
    private final String name;
    private final int stopAfter;

    public BatchCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.name = arguments.value(BatchSyntax.NAME);
        this.template = RunRequest.of(arguments, name);
        this.stopAfter = arguments.number(BatchSyntax.STOP_AFTER, 0, Integer.MAX_VALUE);
    }

    public Answer run() throws IOException {
        List<Item> items = Item.all(lines(), name, template.address().scope(), template.words());
        NotStarted cannot = Executable.whyNot(template.words().get(0), around.directory(), around.env());
        if (cannot != null) {
            return Answer.no(
                    cannot.exitCode(),
                    Problem.of("not_executable", cannot.getMessage() + ". Nothing was run"),
                    new Tally(items.size()).fields("noop"));
        }
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            return arguments.flag(Syntaxes.DRY_RUN) ? dry(ledger, items) : run(ledger, items);
        }
    }

    private List<String> lines() throws IOException {
        String input = arguments.value(BatchSyntax.INPUT);
        try (InputStream in = input.equals("-")
                ? around.in()
                : Files.newInputStream(around.directory().resolve(input))) {
            return Item.lines(in.readAllBytes());
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--input: '" + input + "' can't be read: " + e);
        }
    }

    private Answer dry(Ledger ledger, List<Item> items) {
        Tally tally = new Tally(items.size());
        for (Item item : items) {
            boolean done = ledger.find(item.address())
                    .filter(entry -> entry.state() == State.COMPLETE)
                    .isPresent();
            tally.count(done ? Tally.End.REPLAYED : Tally.End.RAN, null);
        }
        return Answer.ok(tally.fields(tally.of(Tally.End.RAN) == 0 ? "noop" : "would_create"))
                .text("would run " + tally.of(Tally.End.RAN) + " of " + items.size() + " lines\n");
    }

    private Answer run(Ledger ledger, List<Item> items) {
        Tally tally = new Tally(items.size());
        Progress progress = new Progress(around, items.size());
        try (Idem idem = RunOnce.open(ledger)) {
            RunOnce once = new RunOnce(idem, around);
            for (Item item : items) {
                if (!around.signals().again(Thread.currentThread()) || (stopAfter > 0 && tally.bad() >= stopAfter)) {
                    break;
                }
                tally.count(item(once, item), item);
                progress.show(tally);
            }
        } finally {
            progress.end();
        }
        return answer(tally);
    }

    private Tally.End item(RunOnce once, Item item) {
        RunRequest request = template.with(item.address(), item.words());
        Map<String, @Nullable Object> identity =
                request.guarding().identity(item.words(), around.directory(), null, around.env());
        try (Stdin nothing = Stdin.untouched(Redirect.from(new File("/dev/null")))) {
            Outcome<CommandResult> outcome = once.attempt(request, identity, nothing, null, RECORDED);
            if (outcome instanceof Outcome.Failed<CommandResult> failed
                    && failed.cause() instanceof LedgerException unusable) {
                throw unusable;
            }
            return outcome.match(new Ends());
        } catch (UnrecordedException | StaleTicketException e) {
            return Tally.End.IN_DOUBT;
        } catch (WaitInterruptedException e) {
            return Tally.End.IN_FLIGHT;
        }
    }

    private Answer answer(Tally tally) {
        Integer signal = around.signals().exitCode();
        Map<String, @Nullable Object> data = tally.fields(tally.of(Tally.End.RAN) == 0 ? "noop" : "created");
        if (signal != null) {
            Problem problem = Problem.of(
                            "interrupted", "interrupted after " + tally.done() + " of " + tally.total() + " lines")
                    .withFix("make the same call again: it goes on where it was");
            return Answer.no(signal, problem, data);
        } else if (tally.bad() > 0) {
            Problem problem = Problem.of("partial", tally.words())
                    .withFix("look at those in doubt, resolve them, and make the same call again")
                    .withFixCommand(around.program() + " ls --operation " + Item.OPERATION + " --state in_doubt");
            return Answer.no(Exit.PARTIAL, problem, data);
        }
        Answer answer = Answer.ok(data).text(tally.words() + "\n");
        return tally.of(Tally.End.RAN) == 0 && tally.total() > 0 ? answer.replayed() : answer;
    }
}
