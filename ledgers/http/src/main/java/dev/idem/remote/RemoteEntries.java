package dev.idem.remote;

import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.util.Map;

/** The entries behind a server, in the scopes of this program's token. Only a token for all scopes may purge. */
record RemoteEntries(RemoteLedger ledger) implements Browsable {
    private static final int MOST_PURGED = 10_000;

    @Override
    public Page browse(Query query) {
        return ledger.ask(
                "browse",
                Map.of("query", RecordJson.write(query)),
                answer -> answer.expect("done").read("page", Page.class));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        while (purged < limit) {
            int asked = Math.min(limit - purged, MOST_PURGED);
            int some = ledger.ask(
                    "purge",
                    Map.of("limit", (long) asked),
                    answer -> Math.toIntExact(answer.expect("done").of("purged", Long.class)));
            purged += some;
            if (some < asked) {
                break;
            }
        }
        return purged;
    }

    @Override
    public Stats stats() {
        return ledger.ask("stats", Map.of(), answer -> answer.expect("done").read("stats", Stats.class));
    }
}
