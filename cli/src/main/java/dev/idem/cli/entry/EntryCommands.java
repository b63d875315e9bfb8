package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Terminal;
import dev.idem.spi.Ledger;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** {@code idem show}, {@code why}, {@code ls}, {@code forget} and {@code resolve}. */
public record EntryCommands(Surroundings around, Arguments arguments) {
    /** The beginning of a derived key, long enough that it is no accident. */
    private static final Pattern DERIVED = Pattern.compile("idem_[0-9a-f]{8,31}");

    public Answer run() throws IOException {
        if (arguments.isFor(Syntaxes.RESOLVE)) {
            if (arguments.operands().isEmpty()) {
                return new ResolvingMany(around, arguments).run();
            }
            ResolvingMany.requireNone(arguments);
        }
        boolean lists = arguments.isFor(Syntaxes.LS);
        Query query = lists ? Queries.of(arguments, around.host().now().wall()) : Query.all();
        Address address = lists ? null : address();
        Settlement how = arguments.isFor(Syntaxes.RESOLVE)
                ? new Resolving(around, arguments).settlement(arguments.value(Syntaxes.OPERATION))
                : null;
        if (arguments.isFor(Syntaxes.FORGET)) {
            arguments.requireYes("a forgotten entry does not come back, and its key may run again");
        }
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (address == null) {
                return list(ledger, query);
            }
            Entry entry =
                    ledger.find(address).or(() -> begunWith(ledger, address)).orElse(null);
            if (entry == null) {
                Elsewhere elsewhere = new Elsewhere(around, arguments, address);
                // Looking is safe. What changes an entry must be told which one.
                Entry only = arguments.isFor(Syntaxes.SHOW) || arguments.isFor(Syntaxes.WHY)
                        ? elsewhere.only(ledger).orElse(null)
                        : null;
                return only == null
                        ? elsewhere.answer(ledger)
                        : looked(ledger, only).line("found " + only.address());
            }
            if (arguments.isFor(Syntaxes.SHOW) || arguments.isFor(Syntaxes.WHY)) {
                return looked(ledger, entry);
            }
            return entry.state() == State.IN_PROGRESS
                    ? inFlight(entry)
                    : how == null ? forget(ledger, entry) : resolve(ledger, entry, how);
        }
    }

    private Answer looked(Ledger ledger, Entry entry) {
        Address at = entry.address();
        if (arguments.isFor(Syntaxes.WHY)) {
            Arguments found = at.equals(address())
                    ? arguments
                    : arguments.with(Syntaxes.SCOPE, at.scope()).with(Syntaxes.OPERATION, at.operation());
            return new Story(entry, around, new Suggested(around.program(), found, at.key())).answer(ledger);
        }
        Answer answer = Answer.ok(EntryFields.entry(entry)).text(EntryText.of(entry, around.host(), around.style()));
        return arguments.flag(Syntaxes.WITH_RESULT) ? ShownResult.added(answer, entry) : answer;
    }

    private Address address() {
        return Addresses.of(arguments.value(Syntaxes.SCOPE), arguments.value(Syntaxes.OPERATION), arguments.operand());
    }

    /**
     * The one entry whose derived key begins so. Only for derived keys, in which chance makes no two alike: a given key
     * such as {@code order-1} may be the beginning of another.
     */
    private Optional<Entry> begunWith(Ledger ledger, Address wanted) {
        Browsable browsable = ledger.as(Browsable.class).orElse(null);
        if (browsable == null || !DERIVED.matcher(wanted.key()).matches() || arguments.isFor(Syntaxes.FORGET)) {
            return Optional.empty();
        }
        Query there = Query.all()
                .withScope(wanted.scope())
                .withOperation(wanted.operation())
                .withLimit(2);
        List<Entry> found = Listing.of(browsable, there, wanted.key() + "*", around.signals())
                .entries();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    private Answer list(Ledger ledger, Query query) {
        Browsable browsable = ledger.as(Browsable.class).orElse(null);
        if (browsable == null) {
            return Queries.notBrowsable(ledger);
        }
        Page page = Listing.of(browsable, query, arguments.find(Syntaxes.ONLY_KEY), around.signals());
        Answer answer = Answer.ok("noop")
                .with("entries", page.entries().stream().map(EntryFields::entry).toList())
                .with("more", page.next() != null)
                .text(EntryText.table(
                        page.entries(),
                        around.style(),
                        around.host().now(),
                        around.style().people() ? Terminal.size(around.env()).columns() : Integer.MAX_VALUE));
        Queries.tellUnreadable(answer, page.unreadable());
        if (around.style().people() && !page.entries().isEmpty()) {
            // The table may have left out or cut what the next command needs.
            Entry one = page.entries().stream()
                    .filter(entry -> entry.state() == State.IN_DOUBT)
                    .findFirst()
                    .orElse(page.entries().get(0));
            answer.line("look at one: " + Suggested.look(around, arguments, Syntaxes.WHY, one.address()));
        }
        String next = page.next();
        return next == null
                ? answer
                : answer.meta("cursor", next).line("there are more; raise --limit, or go on with --cursor " + next);
    }

    private static Answer inFlight(Entry entry) {
        return Answer.no(
                        ExitCode.PRECONDITION,
                        "IN_FLIGHT",
                        "'" + entry.address().key() + "' is in flight: "
                                + entry.tenure().owner().name()
                                + " runs it. Nothing was changed; try again when it has ended")
                .retryAfter(Duration.ofSeconds(1))
                .data(EntryFields.found("noop", entry));
    }

    private Answer forget(Ledger ledger, Entry entry) {
        if (arguments.flag(Syntaxes.DRY_RUN)) {
            return Answer.ok(EntryFields.found("would_delete", entry))
                    .text("would forget " + entry.address() + ", "
                            + entry.state().word() + "\n");
        }
        return ledger.forget(entry)
                ? Answer.ok(EntryFields.found("deleted", entry))
                        .text("forgot " + entry.address() + "; its key may run again\n")
                : changed(entry);
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
        if (arguments.flag(Syntaxes.DRY_RUN)) {
            return Answer.ok(EntryFields.found("would_update", entry))
                    .text("would resolve " + entry.address() + " as " + wanted.word() + "\n");
        }
        return ledger.resolve(entry.address(), entry.fence(), how)
                ? Answer.ok(EntryFields.found(
                                "updated", ledger.find(entry.address()).orElse(entry)))
                        .text("resolved " + entry.address() + " as " + wanted.word()
                                + (wanted == State.FAILED ? "; its key may run again\n" : Resolving.later(how)))
                : changed(entry);
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

    private static Answer changed(Entry entry) {
        return Answer.no(
                        ExitCode.CONFLICT,
                        "CONFLICT",
                        "'" + entry.address().key() + "' has just been changed by another call. Nothing was changed; "
                                + "look again")
                .data(EntryFields.found("noop", entry));
    }
}
