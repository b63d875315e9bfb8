package dev.idem.testkit.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.LedgerException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.TransactionMode;
import dev.idem.testkit.EngineCase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The part of {@link JoinContract} about commits and rollbacks: an entry, its rows and its events are all there or none. */
abstract class JoinedCommits extends EngineCase {
    final Framework framework = new Framework();
    Idem idem;

    /** A connection of the application to the database of the ledger under test, as a pool hands it out. */
    protected abstract Connection connect() throws SQLException;

    @BeforeEach
    void makeTheTable() throws SQLException {
        idem = open(builder(ledger(), processes().startOwner()).transactions(framework));
        try (Connection connection = connect()) {
            run(connection, "CREATE TABLE orders (id INTEGER)");
        }
    }

    @AfterEach
    void endTheTransaction() throws SQLException {
        framework.rollback();
    }

    @Test
    void theEntryIsThereIfTheTransactionIsCommitted() throws SQLException {
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        framework.commit();

        assertThat(orders()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Replayed.class);
        framework.commit();
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void theEntryIsGoneWithARollback() throws SQLException {
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        framework.rollback();

        assertThat(orders()).isZero();
        assertThat(ledger().find(KEY)).isEmpty();
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        framework.commit();
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void nothingIsPublishedBeforeTheCommit() throws SQLException {
        framework.begin(connect());
        order();
        assertThat(idem.counts().runs()).isZero();
        framework.commit();
        assertThat(idem.counts().runs()).isEqualTo(1);
        framework.begin(connect());
        order();
        framework.rollback();
        assertThat(idem.counts().replays()).isZero();
    }

    /** An error that the application ignores aborts a transaction of PostgreSQL, whose driver then commits nothing. */
    @Test
    void aTransactionThatAnErrorHasAbortedIsNotToldAsCommitted() throws SQLException {
        framework.begin(connect());
        order();
        assertThatThrownBy(() -> run(framework.connection(), "this is no SQL")).isInstanceOf(SQLException.class);
        boolean told = true;
        try {
            framework.commit();
        } catch (LedgerException refused) {
            told = false;
        }
        assertThat(orders()).isEqualTo(told ? 1 : 0);
        assertThat(idem.counts().runs()).isEqualTo(orders());
        assertThat(ledger().find(KEY).isPresent()).isEqualTo(told);
    }

    @Test
    void anEntryThatASavepointHasTakenBackIsNotToldAsSettled() throws SQLException {
        framework.begin(connect());
        run(framework.connection(), "SAVEPOINT nested");
        order();
        run(framework.connection(), "ROLLBACK TO SAVEPOINT nested");
        framework.commit();
        assertThat(orders()).isZero();
        assertThat(idem.counts().runs()).isZero();
    }

    /** The rows that the action wrote afterwards have no entry, and a retry would write them again. */
    @Test
    void rowsOfAnActionThatHasTakenItsOwnEntryBackAreNotCommitted() throws SQLException {
        framework.begin(connect());
        run(framework.connection(), "SAVEPOINT mine");
        assertThatThrownBy(() -> joining().run(call -> {
                    run(framework.connection(), "ROLLBACK TO SAVEPOINT mine");
                    insert();
                    return "ordered";
                }))
                .isInstanceOf(StaleTicketException.class);
        assertThatThrownBy(framework::commit).hasMessageContaining("only be rolled back");
        assertThat(orders()).isZero();

        framework.begin(connect());
        run(framework.connection(), "SAVEPOINT mine");
        assertThatThrownBy(() -> joining().run(call -> {
                    run(framework.connection(), "ROLLBACK TO SAVEPOINT mine");
                    insert();
                    throw new IllegalStateException("after the order");
                }))
                .hasMessage("after the order");
        assertThatThrownBy(framework::commit).hasMessageContaining("only be rolled back");
        assertThat(orders()).isZero();
    }

    /** Its rows are there, perhaps not all of them, so nobody may run it again. */
    @Test
    void anExceptionWhoseTransactionIsCommittedAllTheSameIsInDoubt() throws SQLException {
        framework.begin(connect());
        Outcome<String> failed = joining().attempt(call -> {
            insert();
            throw new IllegalStateException("the second row is missing");
        });
        assertThat(failed.failure()).hasMessage("the second row is missing").hasNoSuppressedExceptions();
        framework.commit();

        assertThat(orders()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.InDoubt.class);
    }

    @Test
    void anExceptionWhoseTransactionIsRolledBackLeavesNothing() throws SQLException {
        framework.begin(connect());
        joining().attempt(call -> {
            insert();
            run(framework.connection(), "this is no SQL");
            return "never";
        });
        framework.rollback();
        assertThat(orders()).isZero();
        assertThat(ledger().find(KEY)).isEmpty();
    }

    final Outcome<String> order() {
        return joining().attempt(call -> {
            insert();
            return "ordered";
        });
    }

    final Operation<String> joining() {
        return joining(idem);
    }

    static Operation<String> joining(Idem from) {
        return charge(from)
                .policy(Policy.unset().transaction(TransactionMode.JOIN))
                .label("order", "7");
    }

    final void insert() throws SQLException {
        run(framework.connection(), "INSERT INTO orders VALUES (1)");
    }

    final long orders() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM orders")) {
            row.next();
            return row.getLong(1);
        }
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
