package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Entry;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Query;
import dev.idem.testkit.Settlements;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What is in progress is found among much that is complete, though no index knows the state of an entry. */
@Timeout(60)
class SweepTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private Ledger ledger;

    @BeforeEach
    void open() {
        ledger = server.open(server.url(schema), Requests.HERE);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private List<String> found(State state) {
        return ledger.as(Browsable.class).orElseThrow().browse(Query.all().withStates(state)).entries().stream()
                .map(Entry::address)
                .map(address -> address.key())
                .toList();
    }

    /** A minute later, which is what a sweep waits for. */
    private void sweep() {
        server.execute("UPDATE " + schema + ".swept SET at = at - 61000000");
        ledger.as(Browsable.class).orElseThrow().purge(1);
    }

    private long upTo() {
        return server.number("SELECT upto FROM " + schema + ".swept");
    }

    private Connection connection() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void what_is_in_progress_is_found_before_and_after_it_was_swept() {
        Ticket slow = Requests.take(ledger, "slow");
        for (int i = 0; i < 3; i++) {
            assertThat(found(State.IN_PROGRESS)).contains("slow");
            ledger.settle(Requests.take(ledger, "quick" + i), Settlements.completed("1"));
            sweep();
        }
        assertThat(upTo()).isGreaterThan(slow.fence().number());
        assertThat(found(State.IN_PROGRESS)).containsExactly("slow");
        assertThat(ledger.as(Browsable.class).orElseThrow().stats().entries())
                .containsEntry(State.IN_PROGRESS, 1L)
                .containsEntry(State.COMPLETE, 3L);

        ledger.settle(slow, Settlements.completed("1"));
        assertThat(found(State.IN_PROGRESS)).isEmpty();
        assertThat(server.number("SELECT count(*) FROM " + schema + ".entry WHERE notable"))
                .isZero();
    }

    @Test
    void what_has_failed_or_is_in_doubt_is_found_at_once_and_for_ever() {
        ledger.settle(Requests.take(ledger, "failed"), Settlements.failed());
        ledger.settle(Requests.take(ledger, "doubted"), Settlements.doubtful());
        for (int i = 0; i < 3; i++) {
            assertThat(found(State.FAILED)).containsExactly("failed");
            assertThat(found(State.IN_DOUBT)).containsExactly("doubted");
            sweep();
        }
        Ticket again = Requests.take(ledger, "failed");
        assertThat(found(State.FAILED)).isEmpty();
        assertThat(found(State.IN_PROGRESS)).containsExactly("failed");
        ledger.settle(again, Settlements.completed("1"));
        assertThat(server.number("SELECT count(*) FROM " + schema + ".entry WHERE notable"))
                .isOne();
    }

    /** Whoever holds it may let it go as it is. */
    @Test
    void a_sweep_does_not_pass_over_an_entry_that_somebody_holds() throws Exception {
        Requests.take(ledger, "held");
        Requests.take(ledger, "other");
        sweep();
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT FROM " + schema + ".entry WHERE key = 'held' FOR UPDATE");
            sweep();
            connection.rollback();
        }
        assertThat(found(State.IN_PROGRESS)).containsExactlyInAnyOrder("held", "other");
        sweep();
        sweep();
        assertThat(upTo()).isGreaterThanOrEqualTo(2);
        assertThat(found(State.IN_PROGRESS)).containsExactlyInAnyOrder("held", "other");
    }

    /** Its fence was drawn before those that are swept, and nobody can see it yet. */
    @Test
    void a_claim_that_takes_longer_than_a_minute_to_be_committed_is_found() throws Exception {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(Requests.taking(schema, "slow"));
            Requests.take(ledger, "later");
            sweep();
            sweep();
            sweep();
            connection.commit();
        }
        assertThat(found(State.IN_PROGRESS)).containsExactlyInAnyOrder("slow", "later");
        sweep();
        sweep();
        assertThat(found(State.IN_PROGRESS)).containsExactlyInAnyOrder("slow", "later");
        assertThat(server.number("SELECT count(*) FROM " + schema + ".entry WHERE notable"))
                .isEqualTo(2);
    }

    /** As after a copy of the tables into another cluster, whose transactions have lower numbers. */
    @Test
    void a_sweep_begins_anew_where_the_numbers_of_transactions_have_gone_back() {
        Ticket slow = Requests.take(ledger, "slow");
        sweep();
        server.execute("UPDATE " + schema + ".swept SET horizon = '1000000000000'");
        for (int i = 0; i < 3; i++) {
            sweep();
        }
        assertThat(upTo()).isGreaterThanOrEqualTo(slow.fence().number());
        assertThat(found(State.IN_PROGRESS)).containsExactly("slow");
    }

    @Test
    void without_the_row_of_the_sweep_everything_is_looked_at() {
        Requests.take(ledger, "slow");
        sweep();
        sweep();
        server.execute("UPDATE " + schema + ".entry SET notable = false; DELETE FROM " + schema + ".swept");
        assertThat(found(State.IN_PROGRESS)).containsExactly("slow");
    }
}
