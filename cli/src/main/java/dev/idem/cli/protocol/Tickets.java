package dev.idem.cli.protocol;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.entry.Addresses;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Fence;
import dev.idem.spi.Ticket;
import org.jspecify.annotations.Nullable;

/** The claimed keys that lines of the protocol name, with the options and answers of several of its commands. */
final class Tickets {
    static final Option OPERATION = Option.of("--operation", "NAME", "call", "the operation of the entry");
    static final Option IDENTITY = Option.of(
            "--identity", "JSON", "the fields that identify the work, which guard the key; - reads them from stdin");
    static final Option FENCE =
            Option.of("--fence", "N", "the fence that the claim gave").asNeeded();

    private Tickets() {}

    static Address address(Arguments arguments) {
        return Addresses.of(arguments.value(Options.SCOPE), arguments.value(OPERATION), arguments.operand());
    }

    /** The ticket that a claim gave. */
    static Ticket of(Arguments arguments) {
        Address address = address(arguments);
        String given = arguments.value(FENCE);
        try {
            return new Ticket(address, new Fence(Long.parseLong(given)));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--fence: '" + given + "' is no fence; it is the number that claim gave");
        }
    }

    /** The effect that the ticket would have on the current entry. */
    static Answer dry(Ticket ticket, @Nullable Entry entry, String what) {
        if (entry == null || !entry.fence().equals(ticket.fence())) {
            return stale(ticket, entry);
        }
        if (entry.state() != State.IN_PROGRESS) {
            return Answer.ok(EntryFields.found("noop", entry))
                    .with("reason", "it was settled before")
                    .text("it was settled before, as " + entry.state().word() + "\n");
        }
        return Answer.ok(EntryFields.found("would_update", entry)).text("would " + what + "\n");
    }

    static Answer stale(Ticket ticket, @Nullable Entry entry) {
        return Answer.no(
                        ExitCode.CONFLICT,
                        "STALE",
                        "fence " + ticket.fence() + " of '" + ticket.address().key() + "' is no longer the current one"
                                + (entry == null ? "; there is no entry" : ": it is " + entry.fence())
                                + ". Nothing was written")
                .fix("stop acting on this key")
                .data(entry == null ? null : EntryFields.found("noop", entry));
    }
}
