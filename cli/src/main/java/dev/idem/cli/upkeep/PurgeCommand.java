package dev.idem.cli.upkeep;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import java.util.OptionalLong;

/** {@code idem purge}: works in batches, so that other processes do not wait for it. */
public record PurgeCommand(Surroundings around, Arguments arguments) {
    private static final Option BATCH_SIZE = Option.of("--batch-size", "N", "500", "how many at a time, 1-1000");

    public static final Command COMMAND = Syntax.of(
                    "purge", "removes expired entries; never touches live entries or entries in doubt")
            .is(Danger.DESTRUCTIVE, Trait.RESUMES)
            .has(Options.YES, BATCH_SIZE)
            .has(Options.ONCE)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 6, 12)
            .explained("It needs --yes, or --dry-run to count the entries.\n")
            .does((around, arguments) -> new PurgeCommand(around, arguments).run());

    private Answer run() {
        int size = arguments.number(BATCH_SIZE, 1, 1000);
        arguments.requireYes("purged entries do not come back, and their keys may run again");
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Browsable browsable = ledger.as(Browsable.class).orElse(null);
            if (browsable == null) {
                return Queries.notBrowsable(ledger);
            }
            if (arguments.flag(Options.DRY_RUN)) {
                return dry(browsable.purgeable());
            }
            long purged = 0;
            int last = size;
            while (last > 0 && around.signals().exitCode() == null) {
                last = browsable.purge(size);
                purged += last;
            }
            return Answer.ok(purged == 0 ? "noop" : "deleted")
                    .with("purged", purged)
                    .text("cleared away " + purged + " expired entries\n");
        }
    }

    private static Answer dry(OptionalLong counted) {
        if (counted.isEmpty()) {
            return Answer.ok("would_delete")
                    .with("would_purge", null)
                    .with("reason", "this ledger counts expired entries only when it removes them")
                    .text("would remove expired entries; this ledger can't count them in advance\n");
        }
        long count = counted.getAsLong();
        return Answer.ok(count == 0 ? "noop" : "would_delete")
                .with("would_purge", count)
                .text("would clear away " + count + " expired entries\n");
    }
}
