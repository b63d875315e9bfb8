package dev.idem.cli.entry;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Options;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.server.Sieve;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/** The entry that a line names by its scope, operation and key. */
record NamedEntry(Surroundings around, Arguments arguments, Address address) {
    /** The beginning of a derived key, long enough that it is no accident. */
    private static final Pattern DERIVED = Pattern.compile("idem_[0-9a-f]{8,31}");

    /** Checks the words of the line; opens no ledger. */
    static NamedEntry of(Surroundings around, Arguments arguments) {
        return new NamedEntry(
                around,
                arguments,
                Addresses.of(arguments.value(Options.SCOPE), arguments.value(Options.OPERATION), arguments.operand()));
    }

    /** Shows the entry. Looking is safe, so the only other entry with the same key will do. */
    Answer shown(BiFunction<Ledger, Entry, Answer> show) {
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Entry entry = ledger.find(address).or(() -> begunWith(ledger)).orElse(null);
            if (entry != null) {
                return show.apply(ledger, entry);
            }
            Elsewhere elsewhere = new Elsewhere(around, arguments, address);
            Entry only = elsewhere.only(ledger).orElse(null);
            return only == null
                    ? elsewhere.answer(ledger)
                    : show.apply(ledger, only).line("found " + only.address());
        }
    }

    /** Changes the entry, unless it is in flight. */
    Answer changed(boolean keyMayBeShort, BiFunction<Ledger, Entry, Answer> change) {
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Entry entry = ledger.find(address)
                    .or(() -> keyMayBeShort ? begunWith(ledger) : Optional.empty())
                    .orElse(null);
            if (entry == null) {
                return new Elsewhere(around, arguments, address).answer(ledger);
            }
            return entry.state() == State.IN_PROGRESS ? inFlight(entry) : change.apply(ledger, entry);
        }
    }

    /**
     * The one entry whose derived key begins so. Only for derived keys, in which chance makes no two alike: a given key
     * such as {@code order-1} may be the beginning of another.
     */
    private Optional<Entry> begunWith(Ledger ledger) {
        Browsable browsable = ledger.as(Browsable.class).orElse(null);
        if (browsable == null || !DERIVED.matcher(address.key()).matches()) {
            return Optional.empty();
        }
        Query there = Query.all()
                .withScope(address.scope())
                .withOperation(address.operation())
                .withLimit(2);
        List<Entry> found = Listing.of(browsable, there, address.key() + "*", Sieve.OPEN, around.signals())
                .entries();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
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

    /** The answer if another call was faster. */
    static Answer changedMeanwhile(Entry entry) {
        return Answer.no(
                        ExitCode.CONFLICT,
                        "CONFLICT",
                        "'" + entry.address().key() + "' has just been changed by another call. Nothing was changed; "
                                + "look again")
                .data(EntryFields.found("noop", entry));
    }
}
