package dev.idem.cli.protocol;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.recorded.Given;
import dev.idem.cli.recorded.Results;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Ledger;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.io.IOException;

/** {@code idem settle}. */
public record SettleCommand(Surroundings around, Arguments arguments) {
    private static final Option ENDED = Option.of(
                    "--as",
                    "WORD",
                    "complete: it happened; failed: nothing happened; in_doubt: unknown; not_executed: a probe "
                            + "found that the doubted attempt did nothing")
            .withWords("complete", "failed", "in_doubt", "not_executed")
            .asNeeded();
    private static final Option RESULT =
            Option.of("--result", "TEXT", "the result for duplicates, as JSON if it is JSON; - reads it from stdin");
    private static final Option NO_RESULT =
            Option.of("--no-result", "WHY", "complete, but duplicates can't be given the result, and why");
    private static final Option ERROR = Option.of("--error", "TEXT", "", "why it failed or is in doubt");

    public static final Command COMMAND = Syntax.of("settle", "ends a claimed attempt: complete, failed or in doubt")
            .takes("KEY")
            .is(Danger.MUTATING, Trait.READS_ALL)
            .has(Tickets.FENCE, ENDED, RESULT, NO_RESULT, ERROR, Options.SCOPE, Tickets.OPERATION, Options.TTL)
            .has(Options.DRY_RUN)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained(
                    "Settling twice in the same way is a noop. Exit 6: another owner has the key now, or it was settled in another\n"
                            + "way; nothing was written.\n")
            .does((around, arguments) -> new SettleCommand(around, arguments).run());

    private Answer run() throws IOException {
        Ticket ticket = Tickets.of(arguments);
        Settlement how = settlement();
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (arguments.flag(Options.DRY_RUN)) {
                String word = arguments.value(ENDED);
                Entry entry = ledger.find(ticket.address()).orElse(null);
                return entry != null && entry.fence().equals(ticket.fence()) && entry.settlement() != null
                        ? already(how, entry)
                        : Tickets.dry(ticket, entry, "settle it as " + word);
            }
            Settled settled = ledger.settle(ticket, how);
            if (settled instanceof Settled.Recorded recorded) {
                Answer answer = Answer.ok(EntryFields.found("updated", recorded.entry()))
                        .text("settled as " + recorded.entry().state().word() + "\n");
                return laundered(how, recorded.entry())
                        ? answer.warn(
                                "STILL_IN_DOUBT",
                                "an earlier attempt is in doubt, which a failure of this one does not clear: the key "
                                        + "stays in doubt")
                        : answer;
            } else if (settled instanceof Settled.Already already) {
                return already(how, already.entry());
            }
            return Tickets.stale(ticket, ((Settled.Stale) settled).entry());
        }
    }

    private Settlement settlement() throws IOException {
        Retention retention = Retention.of(Durations.positive(arguments, Options.TTL));
        String how = arguments.value(ENDED);
        if (how.equals("complete")) {
            return new Settlement.Completed(result(), Effect.CREATED, retention);
        }
        String error = arguments.value(ERROR);
        Failure failure = Failure.told("idem settle", error);
        return switch (how) {
            case "failed" -> new Settlement.Failed(failure, false, retention);
            case "not_executed" -> new Settlement.NotExecuted(error.isEmpty() ? "a probe said so" : error, retention);
            default -> new Settlement.Doubtful(failure);
        };
    }

    private Result result() throws IOException {
        String given = arguments.find(RESULT);
        String none = arguments.find(NO_RESULT);
        if (none == null) {
            return new Result.Stored(Given.payload(given == null ? "null" : given, around));
        } else if (given != null) {
            throw new UsageException("give --result or --no-result, not both");
        }
        return new Result.Unavailable(none);
    }

    /** Settling in the same way again changes nothing. Settling in another way is refused. */
    private Answer already(Settlement how, Entry entry) {
        String state = entry.state().word();
        if (repeats(how, entry)) {
            return Answer.ok(EntryFields.found("noop", entry))
                    .with("reason", "it was settled before")
                    .replayed()
                    .text("it was settled before, as " + state + "\n");
        }
        boolean same = how instanceof Settlement.Completed && entry.state() == State.COMPLETE;
        String message = "'" + entry.address().key() + "' was settled before as " + state
                + (same ? " with another result" : "") + ". Nothing was written";
        Suggested suggested =
                new Suggested(around.program(), arguments, entry.address().key());
        Answer answer = Answer.no(ExitCode.CONFLICT, "CONFLICT", message)
                .fixCommand(suggested.why())
                .data(EntryFields.found("noop", entry));
        if (how instanceof Settlement.Completed && entry.state() != State.COMPLETE) {
            String resolve = "if it did happen: " + suggested.resolve("complete");
            answer.fix(resolve).line("its key may run again; " + resolve);
        }
        return answer;
    }

    private static boolean repeats(Settlement how, Entry entry) {
        if (how instanceof Settlement.Completed completed) {
            return entry.state() == State.COMPLETE && Results.same(completed.result(), entry.result());
        }
        return entry.state() == (how instanceof Settlement.Doubtful ? State.IN_DOUBT : State.FAILED)
                || laundered(how, entry);
    }

    private static boolean laundered(Settlement how, Entry entry) {
        return how instanceof Settlement.Failed
                && entry.state() == State.IN_DOUBT
                && entry.settlement() instanceof Settlement.Doubtful;
    }
}
