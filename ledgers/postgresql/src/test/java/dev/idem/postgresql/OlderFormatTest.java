package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Result;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Claim;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;
import dev.idem.testkit.Settlements;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries that the steps of an older format have written go on under the newest one. */
@Timeout(60)
class OlderFormatTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @Test
    void what_format_two_has_written_is_replayed_and_settled() {
        String all = PostgresqlSchema.sql(schema);
        server.execute(all.substring(0, all.indexOf("-- Format 3")) + "COMMIT;");
        claim("complete");
        server.execute("SELECT " + schema + ".settle('shop', 'charge', 'complete', " + fence("complete")
                + ", ROW('completed', 'created', false, 604800000000, 0, NULL, NULL, NULL, 'application/json', 'json',"
                + " 'identity', '\"old\"'::bytea)::" + schema + ".settlement)");
        claim("running");

        try (Ledger ledger = server.open(server.url(schema), Requests.HERE)) {
            Claim replay = ledger.claim(Requests.request("complete"));
            assertThat(replay).isInstanceOf(Claim.Replay.class);
            assertThat(text(replay.entry())).isEqualTo("\"old\"");
            Ticket running = new Ticket(Requests.address("running"), new Fence(fence("running")));
            assertThat(ledger.settle(running, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
            Claim after = ledger.claim(Requests.request("running"));
            assertThat(after).isInstanceOf(Claim.Replay.class);
            assertThat(text(after.entry())).isEqualTo("1");
        }
    }

    private void claim(String key) {
        server.execute("SELECT " + schema + ".claim('" + "0".repeat(32) + "', 'shop', 'charge', '" + key + "', '"
                + "1d".repeat(32) + "', NULL, NULL, NULL, 'tester', NULL, NULL, NULL, 30000000, 300000000, false,"
                + " 'none', 0, NULL, '2s')");
    }

    private long fence(String key) {
        return server.number("SELECT fence FROM " + schema + ".entry WHERE key = '" + key + "'");
    }

    private static String text(Entry entry) {
        return new String(((Result.Stored) entry.result()).payload().bytes(), StandardCharsets.UTF_8);
    }
}
