package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.spi.Ledger;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import java.io.IOException;

/** {@code idem resolve}. */
public record ResolveCommand(Surroundings around, Arguments arguments) {
    static final Option AS = Option.of("--as", "WORD", "complete: it happened; failed: it did not")
            .withWords("complete", "failed")
            .asNeeded();
    static final Option RESULT = Option.of(
            "--result", "JSON", "the result for later calls, for a command its stdout; - reads it from stdin");
    static final Option NO_RESULT =
            Option.of("--no-result", "WHY", "there is no result to give: later calls do not run, and are told why");
    static final Option BY = Option.of("--by", "NAME", "who found out; without it $USER");
    static final Option WHY = Option.of("--why", "TEXT", "how that person found out");
    static final Option PLAN = Option.of(
            "--plan", "FILE", "resolves the entries that a dry run gave as JSON, if they are unchanged; - is stdin");

    public static final Command COMMAND = Syntax.of(
                    "resolve", "settles an entry in doubt or failed, once you know whether it happened")
            .takes("[KEY]")
            .is(Danger.MUTATING)
            .has(AS, RESULT, NO_RESULT, BY, WHY, Options.SCOPE, Options.OPERATION, Options.TTL, PLAN, Queries.STATE)
            .has(Queries.ONLY_KEY, Queries.ONLY_LABEL, Queries.OLDER_THAN, Queries.NEWER_THAN, Queries.LIMIT)
            .has(Queries.TRIES, Queries.MESSAGE)
            .has(Options.ONCE)
            .has(Options.LEDGER_OUTPUT)
            .ends(3, 4, 5, 6, 12)
            .explained("""
            As complete: duplicates get the result that is given here. For a command it is its stdout;
            without one they get exit code 0 and no output. For other operations --result or --no-result must be given.
            As failed: the next call runs it again. Who and why are kept, and shown by show and why.

            Several entries: without KEY, with --dry-run --json, it lists the entries in doubt that --scope,
            --operation, --key, --label and others select. Look at them, then give that output as --plan:
            each entry is resolved if it is still the one that was listed.
            """)
            .does((around, arguments) -> new ResolveCommand(around, arguments).run());

    private Answer run() throws IOException {
        if (arguments.operands().isEmpty()) {
            return new ResolvingMany(around, arguments).run();
        }
        ResolvingMany.requireNone(arguments);
        NamedEntry named = NamedEntry.of(around, arguments);
        Settlement how = new Resolving(around, arguments).settlement(arguments.value(Options.OPERATION));
        return named.changed(true, (ledger, entry) -> resolve(ledger, entry, how));
    }

    private Answer resolve(Ledger ledger, Entry entry, Settlement how) {
        State wanted = how instanceof Settlement.Completed ? State.COMPLETE : State.FAILED;
        if (entry.state() == wanted && !Resolving.addsResult(how, entry)) {
            return Answer.ok(EntryFields.found("noop", entry))
                    .with("reason", "it is " + wanted.word() + " already")
                    .text(entry.address() + " is " + wanted.word() + " already\n");
        }
        if (entry.state() == State.COMPLETE
                && wanted == State.COMPLETE
                && entry.result() instanceof Result.Unavailable) {
            return withoutResult(entry);
        }
        if (entry.state() == State.COMPLETE || entry.state() == State.EXPIRED) {
            return Answer.no(
                            ExitCode.CONFLICT,
                            "CONFLICT",
                            "'" + entry.address().key() + "' is "
                                    + entry.state().word()
                                    + (wanted == State.COMPLETE ? " with another result" : "")
                                    + ", which nothing takes back but a forget. Nothing was changed")
                    .data(EntryFields.found("noop", entry));
        }
        if (arguments.flag(Options.DRY_RUN)) {
            return Answer.ok(EntryFields.found("would_update", entry))
                    .text("would resolve " + entry.address() + " as " + wanted.word() + "\n");
        }
        return ledger.resolve(entry.address(), entry.fence(), how)
                ? Answer.ok(EntryFields.found(
                                "updated", ledger.find(entry.address()).orElse(entry)))
                        .text("resolved " + entry.address() + " as " + wanted.word()
                                + (wanted == State.FAILED ? "; its key may run again\n" : Resolving.later(how)))
                : NamedEntry.changedMeanwhile(entry);
    }

    private Answer withoutResult(Entry entry) {
        Address at = entry.address();
        String fix = "stop what calls it, since a forgotten key runs again; then: "
                + new Suggested(around.program(), arguments, at.key(), at.operation()).completeAnew();
        return Answer.no(
                        ExitCode.CONFLICT,
                        "CONFLICT",
                        "'" + at.key() + "' is complete without a result, and complete is final. Nothing was changed")
                .fix(fix)
                .data(EntryFields.found("noop", entry))
                .line(fix);
    }
}
