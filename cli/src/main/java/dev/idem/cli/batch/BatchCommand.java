package dev.idem.cli.batch;

import dev.idem.Idem;
import dev.idem.LedgerException;
import dev.idem.Outcome;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.WaitInterruptedException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.run.Executable;
import dev.idem.cli.run.Live;
import dev.idem.cli.run.RunOnce;
import dev.idem.cli.run.RunRequest;
import dev.idem.cli.run.Stdin;
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
import dev.idem.spi.Ledger;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code idem batch}: runs a command once for each line. The ledger knows the finished lines, so after an interruption
 * the same call does the rest.
 */
public final class BatchCommand {
    private static final Option NAME = Option.of(
                    "--key", "K", "names the batch: the same lines under the same name are the same work")
            .withAlias("--idempotency-key");
    private static final Option INPUT = Option.of("--input", "FILE", "-", "where the lines are; - is stdin");
    private static final Option JOBS = Option.of("--jobs", "N", "1", "how many commands run at the same time, 1-64");
    private static final Option STOP_AFTER = Option.of(
            "--stop-after", "N", "0", "gives up after so many lines that failed or are in doubt; 0 for never");

    public static final Command COMMAND = Syntax.of(
                    "batch",
                    "runs a command once for each line of stdin; after an interruption the same call does the rest")
            .running()
            .is(Danger.MUTATING, Trait.READS_ALL)
            .has(NAME, Options.SCOPE, INPUT, JOBS, STOP_AFTER)
            .has(RunRequest.GUARDING)
            .has(RunRequest.KEEPING)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 12, 126, 127)
            .explained("""
            {} in an argument of the command stands for the line; without any, the line is the last argument.
            Each line is an entry of its own under the operation batch. A repeated line is two items.
            Lines are run as they come, in their order unless there are several --jobs.
            The output of the commands is recorded, not shown; progress is on stderr.
            """)
            .does((around, arguments) -> new BatchCommand(around, arguments).run());

    private static final String STDIN = "-";
    private static final int MOST_LISTED = 10;

    private final Surroundings around;
    private final Arguments arguments;
    private final RunRequest template;
    private final String name;
    private final int stopAfter;
    private final int jobs;
    /** The other folders in which replayed lines ran, with the number of these lines. */
    private final Map<String, Integer> elsewhere = new ConcurrentSkipListMap<>();

    private BatchCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
        this.name = arguments.value(NAME);
        this.template = RunRequest.of(arguments, name);
        this.jobs = arguments.number(JOBS, 1, 64);
        this.stopAfter = arguments.number(STOP_AFTER, 0, Integer.MAX_VALUE);
    }

    private Answer run() throws IOException {
        Tally tally = new Tally();
        NotStarted cannot = Executable.whyNot(template.words().get(0), around.directory(), around.env());
        if (cannot != null) {
            return Answer.no(cannot.exitCode(), "NOT_EXECUTABLE", cannot.getMessage() + ". Nothing was run")
                    .data(tally.fields("noop"));
        }
        count(tally);
        try (Ledger ledger = LedgerPlace.open(around, arguments);
                Feed feed = new Feed(
                        lines(), new Item.Maker(name, template.address().scope(), template.words()))) {
            feed.start();
            return arguments.flag(Options.DRY_RUN) ? dry(ledger, feed, tally) : run(ledger, feed, tally);
        }
    }

    /** Reads a file first: the progress bar then knows the number of lines, and an invalid file runs nothing. */
    private void count(Tally tally) throws IOException {
        if (!arguments.value(INPUT).equals(STDIN)) {
            try (Lines lines = lines()) {
                int count = 0;
                while (lines.next() != null) {
                    count++;
                }
                tally.read(count, true);
            }
        }
    }

    private Lines lines() {
        String input = arguments.value(INPUT);
        try {
            return new Lines(
                    input.equals(STDIN)
                            ? around.in()
                            : Files.newInputStream(around.directory().resolve(input)));
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--input: '" + input + "' can't be read: " + e);
        }
    }

    private Answer dry(Ledger ledger, Feed feed, Tally tally) {
        try {
            for (Item item = feed.take(); item != null; item = feed.take()) {
                boolean done = ledger.find(item.address())
                        .filter(entry -> entry.state() == State.COMPLETE)
                        .isPresent();
                tally.count(done ? Tally.End.REPLAYED : Tally.End.RAN, null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        refuse(feed.trouble());
        tally.read(feed.count(), true);
        return Answer.ok(tally.fields(tally.of(Tally.End.RAN) == 0 ? "noop" : "would_create"))
                .text("would run " + tally.of(Tally.End.RAN) + " of " + tally.total() + " lines\n");
    }

    private static void refuse(@Nullable String trouble) {
        if (trouble != null) {
            throw new UsageException(trouble);
        }
    }

    private Answer run(Ledger ledger, Feed feed, Tally tally) {
        ProgressBar progress = new ProgressBar(around);
        Workers<RunOnce> workers = new Workers<>(around, feed, tally, progress, stopAfter);
        try (Idem idem = RunOnce.open(ledger)) {
            workers.run(jobs, own -> RunOnce.many(idem, own), this::item);
        } catch (LedgerException e) {
            return unusable(e, tally);
        } finally {
            tally.read(feed.count(), feed.isWhole());
            progress.end(tally);
        }
        String trouble = feed.trouble();
        if (tally.done() == 0) {
            refuse(trouble);
        }
        return trouble == null ? answer(tally) : listed(cutShort(trouble, tally), tally);
    }

    private Answer unusable(LedgerException why, Tally tally) {
        if (tally.done() == 0) {
            throw why;
        }
        return Answer.no(
                        ExitCode.PARTIAL_FAILURE,
                        "LEDGER_UNAVAILABLE",
                        "the ledger can't be used any more: " + why.getMessage() + ". " + tally.words())
                .fix("make the same call again: it does the rest")
                .fixCommand(Suggested.line(around.program(), arguments, "doctor"))
                .data(fields(tally));
    }

    private static Answer cutShort(String trouble, Tally tally) {
        return Answer.no(
                        ExitCode.PARTIAL_FAILURE, "INPUT", trouble + ". The lines before it are done: " + tally.words())
                .fix("correct the line, and make the same call again: it does the rest")
                .data(fields(tally));
    }

    private static Map<String, @Nullable Object> fields(Tally tally) {
        return tally.fields(tally.of(Tally.End.RAN) == 0 ? "noop" : "created");
    }

    private Tally.End item(RunOnce once, Item item) {
        RunRequest request = template.with(item.address(), item.words());
        Map<String, @Nullable Object> identity =
                request.guard().identity(item.words(), around.directory(), null, around.env());
        try (Stdin nothing = Stdin.untouched(Redirect.from(new File("/dev/null")))) {
            Outcome<CommandResult> outcome = once.attempt(request, identity, nothing, null, Live.none());
            if (outcome instanceof Outcome.Failed<CommandResult> failed
                    && failed.failure() instanceof LedgerException unusable) {
                throw unusable;
            }
            if (outcome instanceof Outcome.Replayed<CommandResult> replayed) {
                String folder = replayed.value().folderOtherThan(around.directory());
                if (folder != null) {
                    elsewhere.merge(folder, 1, Integer::sum);
                }
            }
            return Tally.End.of(outcome);
        } catch (UnrecordedException | StaleTicketException e) {
            return Tally.End.IN_DOUBT;
        } catch (WaitInterruptedException e) {
            return Tally.End.IN_FLIGHT;
        }
    }

    private Answer answer(Tally tally) {
        Answer answer = ended(tally);
        elsewhere.entrySet().stream().limit(MOST_LISTED).forEach(each -> {
            String where = each.getValue() + " of the replayed lines ran in " + each.getKey() + ", not in this folder";
            answer.note("OTHER_FOLDER", where).line(where);
        });
        return answer;
    }

    private Answer ended(Tally tally) {
        Integer signal = around.signals().exitCode();
        Map<String, @Nullable Object> data = fields(tally);
        if (signal != null) {
            return listed(
                    Answer.cancelled(signal, true, "interrupted after " + tally.words())
                            .fix("make the same call again: it does the rest")
                            .data(data),
                    tally);
        } else if (tally.bad() > 0) {
            return listed(
                    Answer.no(ExitCode.PARTIAL_FAILURE, "PARTIAL", tally.words())
                            .fix("look at those in doubt, resolve them, and make the same call again")
                            .fixCommand(Suggested.line(
                                    around.program(),
                                    arguments,
                                    "ls",
                                    "--operation",
                                    Item.OPERATION,
                                    "--state",
                                    "in_doubt"))
                            .data(data),
                    tally);
        }
        Answer answer = Answer.ok(data).text(tally.words() + "\n");
        return tally.of(Tally.End.RAN) == 0 && tally.total() > 0 ? answer.replayed() : answer;
    }

    /** Names the first failed lines, each with the command that explains it. */
    private Answer listed(Answer answer, Tally tally) {
        List<Tally.Bad> first = tally.firstBad(MOST_LISTED);
        for (Tally.Bad line : first) {
            String key = line.item().address().key();
            String why = new Suggested(around.program(), arguments, key, Item.OPERATION).why();
            answer.line("line " + line.item().number() + ", " + line.end().words() + ": " + why);
        }
        int more = tally.bad() - first.size();
        return more == 0 ? answer : answer.line("and " + more + " more");
    }
}
