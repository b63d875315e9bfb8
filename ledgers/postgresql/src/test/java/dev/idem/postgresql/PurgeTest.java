package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Retention;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Ledger;
import dev.idem.testkit.Settlements;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A purge works beside others and waits for nobody. */
@Timeout(60)
class PurgeTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @Test
    void an_entry_that_somebody_holds_is_left_for_the_next_time() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Ledger ledger = server.open(server.url(schema), Requests.HERE);
                Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            Retention brief = Retention.of(Duration.ofNanos(1000));
            for (String key : new String[] {"a", "b", "c"}) {
                ledger.settle(Requests.take(ledger, key), Settlements.completed("1", brief));
            }
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            connection.setAutoCommit(false);
            statement.execute("SELECT FROM " + schema + ".entry WHERE key = 'b' FOR UPDATE");
            assertThat(browsable.purge(100)).isEqualTo(2);
            connection.rollback();
            assertThat(browsable.purge(100)).isEqualTo(1);
            assertThat(server.number("SELECT count(*) FROM " + schema + ".entry"))
                    .isZero();
        }
    }
}
