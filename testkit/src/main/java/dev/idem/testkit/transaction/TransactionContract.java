package dev.idem.testkit.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.spi.Claim;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.Race;
import dev.idem.testkit.Settlements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of a ledger that commits the rows of an action together with its entry. */
public abstract class TransactionContract extends EngineCase {
    private final List<String> shown = new ArrayList<>();
    private Idem idem;

    @BeforeEach
    void makeTheTable() throws SQLException {
        idem = idem();
        inside("make the table", connection -> run(connection, "CREATE TABLE orders (id INTEGER)"));
    }

    @Test
    void theRowsAndTheEntryAreThereTogether() throws SQLException {
        assertThat(order(idem)).isInstanceOf(Outcome.Done.class);
        assertThat(order(idem)).isInstanceOf(Outcome.Replayed.class);
        assertThat(order(idem())).isInstanceOf(Outcome.Replayed.class);
        assertThat(orders()).isEqualTo(1);
        assertThat(entry().tenure().marks()).isEmpty();
    }

    @Test
    void whatThrowsLeavesNothingAndMayRunAgain() throws SQLException {
        Outcome<String> failed = charge(idem).inTransaction(Connection.class).attempt((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            throw new SQLException("the network of the mail server is down");
        });
        assertThat(failed).isInstanceOf(Outcome.Failed.class);
        assertThat(orders()).isZero();
        assertThat(order(idem)).isInstanceOf(Outcome.Done.class);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void aSecondCallerIsToldThatItIsInFlightAndSeesNothing() throws Exception {
        Ledger theirs = another();
        Idem elsewhere = idem(theirs, processes().startOwner());
        charge(idem).inTransaction(Connection.class).run((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            elsewhere(() -> {
                Outcome<String> refused = operation(elsewhere, KEY)
                        .policy(Policy.unset().waitFor(Duration.ZERO))
                        .inTransaction(Connection.class)
                        .attempt((other, same) -> "never");
                assertThat(refused).isInstanceOf(Outcome.InFlight.class);
                assertThat(theirs.find(KEY).orElseThrow().result()).isNull();
            });
            return "done";
        });
        assertThat(order(elsewhere)).isInstanceOf(Outcome.Replayed.class);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void aStaleOwnerIsRolledBack() throws SQLException {
        assumeFalse(transactional().exclusive(), "no caller can take over while a transaction of this ledger is open");
        Outcome<String> stale = charge(idem).inTransaction(Connection.class).attempt((call, connection) -> {
            takeOverElsewhere(call.fence().number());
            run(connection, "INSERT INTO orders VALUES (1)");
            return "stale";
        });
        assertThat(stale.failure()).isInstanceOf(NotExecutedException.class);
        assertThat(orders()).isZero();
    }

    @Test
    void aCommitWhoseAnswerWasLostCounts() throws SQLException {
        assertThat(order(losing(true))).isInstanceOf(Outcome.Done.class);
        assertThat(orders()).isEqualTo(1);
        assertThat(order(idem)).isInstanceOf(Outcome.Replayed.class);
    }

    @Test
    void aCommitThatNeverCameDoesNotCount() throws SQLException {
        Outcome<String> lost = order(losing(false));
        assertThat(lost).isInstanceOf(Outcome.Failed.class);
        assertThat(lost.failure()).hasMessageContaining("rolled back");
        assertThat(orders()).isZero();
        assertThat(order(idem)).isInstanceOf(Outcome.Done.class);
        assertThat(orders()).isEqualTo(1);
    }

    /** The rows are committed. If the caller got "nothing was written", it would write them again. */
    @Test
    void aCommitWhoseAnswerWasLostIsInDoubtIfTheEntryIsGone() throws SQLException {
        Idem forgetting = losing(true, () -> {
            Entry committed = ledger().find(KEY).orElseThrow();
            assertThat(ledger().forget(committed)).isTrue();
        });
        Outcome<String> lost = order(forgetting);
        assertThat(lost).isInstanceOf(Outcome.InDoubt.class);
        assertThat(lost.failure())
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("by order, to a commit");
        assertThat(orders()).isEqualTo(1);
    }

    /** The caller got "nothing was written", because the new entry under its key looked like a take-over. */
    @Test
    void aCommitWhoseAnswerWasLostIsInDoubtIfItsKeyWasForgottenAndClaimedAgain() throws SQLException {
        Idem forgetting = losing(true, () -> {
            assertThat(ledger().forget(ledger().find(KEY).orElseThrow())).isTrue();
            answer(Claim.Granted.class, another().claim(request(Fingerprints.NONE)));
        });
        Outcome<String> lost = order(forgetting);
        assertThat(lost).isInstanceOf(Outcome.InDoubt.class);
        assertThat(lost.failure()).hasMessageContaining("by order, to a commit");
        assertThat(orders()).isEqualTo(1);
    }

    /** The same if the new entry has already had two attempts and is complete. */
    @Test
    void aCommitWhoseAnswerWasLostIsInDoubtIfItsKeyWasUsedAgain() throws SQLException {
        Idem forgetting = losing(true, () -> {
            assertThat(ledger().forget(ledger().find(KEY).orElseThrow())).isTrue();
            pass(Duration.ofSeconds(1));
            Ledger theirs = another();
            for (Settlement how : List.of(Settlements.failed(), Settlements.completed("theirs"))) {
                theirs.settle(
                        answer(Claim.Granted.class, theirs.claim(request(Fingerprints.NONE)))
                                .ticket(),
                        how);
            }
        });
        Outcome<String> lost = order(forgetting);
        assertThat(lost).isInstanceOf(Outcome.InDoubt.class);
        assertThat(lost.failure()).hasMessageContaining("by order, to a commit");
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void aCommitThatNeverCameDoesNotCountAfterATakeOver() throws SQLException {
        Outcome<String> lost = order(losing(false, () -> takeOverElsewhere(0)));
        assertThat(lost.failure()).isInstanceOf(NotExecutedException.class);
        assertThat(orders()).isZero();
    }

    /** The rows are committed, and the caller was told that they were rolled back. */
    @Test
    void aCommitWhoseAnswerWasLostCountsIfATombstoneIsAllThatIsLeft() throws SQLException {
        Idem expiring = losing(true, () -> {
            pass(Settlements.DAY.keep());
            assertThat(capability(Browsable.class).purge(100)).isEqualTo(1);
        });
        Outcome<String> lost = charge(expiring)
                .policy(Policy.unset().retention(Settlements.DAY_AND_TOMBSTONE))
                .inTransaction(Connection.class)
                .attempt((call, connection) -> {
                    run(connection, "INSERT INTO orders VALUES (1)");
                    return "done";
                });
        assertThat(lost).isInstanceOf(Outcome.Done.class);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void theActionCantEndTheTransaction() throws SQLException {
        charge(idem).inTransaction(Connection.class).run((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            assertThatThrownBy(connection::commit).hasMessageContaining("lent for one transaction");
            assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::close).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(SQLException.class);
            return "done";
        });
        assertThat(orders()).isEqualTo(1);
    }

    /** The rows were committed, but the action counted as rolled back: the next call wrote them again. */
    @Test
    void anActionThatEndsTheTransactionInSqlAndThrowsIsInDoubt() throws SQLException {
        Outcome<String> ended = charge(idem).inTransaction(Connection.class).attempt((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            run(connection, "COMMIT");
            throw new SQLException("and then it was interrupted");
        });
        assertThat(ended).isInstanceOf(Outcome.InDoubt.class);
        assertThat(order(idem)).isInstanceOf(Outcome.InDoubt.class);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void theConnectionIsNotForAfterwards() throws SQLException {
        List<Connection> kept = new ArrayList<>();
        charge(idem).inTransaction(Connection.class).run((call, connection) -> {
            kept.add(connection);
            return "done";
        });
        assertThatThrownBy(() -> run(kept.get(0), "INSERT INTO orders VALUES (1)"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("has ended");
    }

    private Idem losing(boolean done) {
        return losing(done, () -> {});
    }

    private Idem losing(boolean done, Runnable meanwhile) {
        return idem(
                new LostCommits(ledger(), transactional(), done, meanwhile),
                processes().startOwner());
    }

    @SuppressWarnings("unchecked") // the connection type was compared
    private Transactional<Connection> transactional() {
        Transactional<?> found = capability(Transactional.class);
        assertThat(found.connectionType()).isEqualTo(Connection.class);
        return (Transactional<Connection>) found;
    }

    /** Takes over after the end of the lease, between two statements of the owner. */
    private void takeOverElsewhere(long fence) {
        elsewhere(() -> {
            pass(LEASE.multipliedBy(2));
            Claim claim = another().claim(request(Fingerprints.NONE).withTakeOver(TakeOver.RERUN));
            Ticket taken = answer(Claim.Granted.class, claim).ticket();
            assertThat(taken.fence().number()).isGreaterThan(fence);
        });
    }

    private static void elsewhere(Runnable other) {
        Race.of(1, () -> {
            other.run();
            return "ended";
        });
    }

    private Outcome<String> order(Idem from) {
        return charge(from).inTransaction(Connection.class).attempt((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            return "ordered";
        });
    }

    private long orders() throws SQLException {
        shown.clear();
        inside("count " + world.effects("count"), connection -> {
            world.act("count");
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT count(*) FROM orders")) {
                row.next();
                shown.add(row.getString(1));
            }
        });
        return Long.parseLong(shown.get(0));
    }

    private interface Inside {
        void act(Connection connection) throws SQLException;
    }

    private void inside(String key, Inside action) throws SQLException {
        idem.operation("table")
                .key(key.replace(' ', '-'))
                .returning(String.class)
                .inTransaction(Connection.class)
                .run((call, connection) -> {
                    action.act(connection);
                    return "ok";
                });
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
