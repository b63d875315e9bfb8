package dev.idem.cli.protocol;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.EntryFields;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import java.time.Duration;

/** {@code idem renew}. */
public record RenewCommand(Surroundings around, Arguments arguments) {

    public static final Command COMMAND = Syntax.of("renew", "keeps a claimed key for another lease")
            .takes("KEY")
            .is(Danger.MUTATING)
            .has(Tickets.FENCE, Options.SCOPE, Tickets.OPERATION, Options.LEASE, Options.DRY_RUN)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 5, 6, 12)
            .explained("Exit 6: the key is no longer yours; stop acting on it.\n")
            .does((around, arguments) -> new RenewCommand(around, arguments).run());

    private Answer run() {
        Ticket ticket = Tickets.of(arguments);
        Duration lease = Durations.positive(arguments, Options.LEASE);
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            if (arguments.flag(Options.DRY_RUN)) {
                return Tickets.dry(
                        ticket, ledger.find(ticket.address()).orElse(null), "renew it for " + Durations.words(lease));
            }
            if (!ledger.renew(ticket, lease)) {
                return Tickets.stale(ticket, ledger.find(ticket.address()).orElse(null));
            }
            return Answer.ok(EntryFields.call("updated", ticket.address()))
                    .with("fence", ticket.fence().number())
                    .with("lease_ms", lease.toMillis())
                    .text("renewed for " + Durations.words(lease) + "\n");
        }
    }
}
