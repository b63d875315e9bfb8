package dev.idem.cli.upkeep;

import dev.idem.State;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.entry.Table;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Stats;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem stats}. */
public record StatsCommand(Surroundings around, Arguments arguments) {
    public static final Command COMMAND = Syntax.of(
                    "stats", "counts the entries by state, and the duplicates that were prevented")
            .is(Trait.LOOKS)
            .has(Options.LEDGER_OUTPUT)
            .ends(12)
            .does((around, arguments) -> new StatsCommand(around, arguments).run());

    private Answer run() {
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            Browsable browsable = ledger.as(Browsable.class).orElse(null);
            return browsable == null ? Queries.notBrowsable(ledger) : told(ledger, browsable.stats());
        }
    }

    private static Answer told(Ledger ledger, Stats stats) {
        Map<String, @Nullable Object> counts = new LinkedHashMap<>();
        Table table = new Table("STATE", "ENTRIES");
        long total = 0;
        for (State state : State.values()) {
            counts.put(state.word(), stats.count(state));
            table.row(state.word(), Long.toString(stats.count(state)));
            total += stats.count(state);
        }
        return Answer.ok("noop")
                .with("ledger", ledger.describe())
                .with("entries", total)
                .with("by_state", counts)
                .with("duplicates_prevented", stats.replays())
                .text(table.text() + "duplicates prevented: " + stats.replays() + "\n");
    }
}
