package dev.idem.cli.demo;

import dev.idem.Entry;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.DemoSyntax;
import dev.idem.cli.syntax.UsageException;
import dev.idem.spi.Browsable;
import dev.idem.spi.Ledger;
import dev.idem.spi.Query;
import java.util.List;

/** A guest in somebody's ledger: what it has written there, it takes away again. */
record Guest(Surroundings around, Arguments arguments, String task) {
    /** Finds out that the ledger can be used, before anything else happens. */
    void arrive() {
        String url = arguments.value(DemoSyntax.LEDGER);
        if (url.startsWith("memory:")) {
            throw new UsageException("--ledger: what is in memory ends with its process, and the demo kills that");
        }
        LedgerPlace.open(around, arguments).close();
    }

    /** Takes away all entries of the task; gives how many had to stay, since nobody may forget what may still run. */
    int leave() {
        try (Ledger ledger = LedgerPlace.open(around, arguments)) {
            List<Entry> written = ledger.as(Browsable.class)
                    .map(browsable ->
                            browsable.browse(Query.all().withScope(task)).entries())
                    .orElse(List.of());
            int stay = 0;
            for (Entry entry : written) {
                stay += ledger.forget(entry) ? 0 : 1;
            }
            return stay;
        }
    }
}
