package dev.idem.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.TransactionMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.SpringVersion;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls inside transactions of Spring, on two databases, with rows written by JDBC and by JPA. */
@Timeout(60)
class SpringTransactionsTest {
    private static final Address ORDER = new Address("default", "order", "7");

    private final AtomicInteger effects = new AtomicInteger();

    @TempDir
    Path folder;

    private Place place;
    private HikariDataSource pool;
    private Shop shop;
    private Idem idem;

    /** The ways to write rows. */
    enum Way {
        POSTGRESQL_JDBC,
        POSTGRESQL_JPA,
        SQLITE_JDBC,
        SQLITE_JPA
    }

    private void open(Way way) throws SQLException {
        place = way.name().startsWith("SQLITE") ? Place.sqlite(folder) : Place.postgresql("shop");
        pool = place.pool(2);
        shop = shop(way, pool);
        idem = Idem.builder()
                .ledger(place.ledger())
                .transactions(new SpringTransactions())
                .purgeEvery(Duration.ZERO)
                .quiet()
                .open();
    }

    private Shop shop(Way way, DataSource source) {
        return way.name().endsWith("JPA") ? Shop.jpa(source, place.isSqlite()) : Shop.jdbc(source);
    }

    @AfterEach
    void close() {
        if (idem != null) {
            idem.close();
            shop.close();
            pool.close();
        }
    }

    @Test
    void itIsTheExpectedSpring() {
        assertThat(SpringVersion.getVersion()).isEqualTo(System.getProperty("spring.expected"));
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatDoesNotSayWhatARollbackMeansIsRefused(Way way) throws SQLException {
        open(way);

        assertThatThrownBy(() -> inTransaction().executeWithoutResult(status -> order().run(call -> insert(1))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Declare transaction JOIN")
                .hasMessageContaining("Declare transaction INDEPENDENT");

        assertThat(place.orders()).isZero();
        assertThat(idem.ledger().find(ORDER)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatSpringDoesNotUseIsRefused(Way way) throws SQLException {
        open(way);

        assertThatThrownBy(() -> order().inTransaction(Connection.class).run((call, connection) -> insert(1)))
                .hasMessageContaining("TransactionMode.JOIN");
        assertThatThrownBy(() -> inTransaction().execute(status -> {
                    Connection springs = DataSourceUtils.getConnection(pool);
                    try {
                        return order().inTransactionOn(springs).run((call, connection) -> insert(1));
                    } finally {
                        DataSourceUtils.releaseConnection(springs, pool);
                    }
                }))
                .hasMessageContaining("TransactionMode.JOIN");
        assertThat(place.orders()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aJoinedEntryIsThereIfAndOnlyIfTheTransactionCommits(Way way) throws SQLException {
        open(way);

        assertThatThrownBy(() -> inTransaction().execute(status -> {
                    joined();
                    throw new IllegalStateException("after the order");
                }))
                .hasMessage("after the order");
        assertThat(place.orders()).isZero();
        assertThat(idem.ledger().find(ORDER)).isEmpty();

        inTransaction().executeWithoutResult(status -> {
            joined();
            status.setRollbackOnly();
        });
        assertThat(place.orders()).isZero();
        assertThat(idem.ledger().find(ORDER)).isEmpty();

        assertThat(joinedIn(inTransaction())).isInstanceOf(Outcome.Done.class);
        assertThat(joinedIn(inTransaction())).isInstanceOf(Outcome.Replayed.class);
        assertThat(place.orders()).isEqualTo(1);
        assertThat(idem.counts().runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void theSameKeyTwiceInOneTransactionIsOneRow(Way way) throws SQLException {
        open(way);
        inTransaction().executeWithoutResult(status -> {
            joined();
            assertThat(joined()).isInstanceOf(Outcome.Replayed.class);
        });
        assertThat(place.orders()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionOfTheActionRollsBackAsSpringDecides(Way way) throws SQLException {
        open(way);
        assertThatThrownBy(() -> inTransaction()
                        .execute(status -> join().run(call -> {
                            insert(1);
                            throw new IllegalStateException("no such article");
                        })))
                .hasMessage("no such article")
                .hasNoSuppressedExceptions();
        assertThat(place.orders()).isZero();
        assertThat(idem.ledger().find(ORDER)).isEmpty();
        assertThat(idem.counts().refusals()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aNewTransactionInsideKeepsItsEntryWhenTheOuterOneRollsBack(Way way) throws SQLException {
        open(way);
        TransactionTemplate requiresNew = inTransaction();
        requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        inTransaction().executeWithoutResult(outer -> {
            assertThat(joinedIn(requiresNew)).isInstanceOf(Outcome.Done.class);
            outer.setRollbackOnly();
        });

        assertThat(place.orders()).isEqualTo(1);
        assertThat(idem.ledger().find(ORDER).orElseThrow().state()).isEqualTo(State.COMPLETE);
    }

    @ParameterizedTest
    @EnumSource
    void aNestedTransactionThatRollsBackTakesItsEntryWithIt(Way way) throws SQLException {
        assumeFalse(way.name().endsWith("JPA"), "Spring has no nested transactions with JPA");
        open(way);
        TransactionTemplate nested = inTransaction();
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

        inTransaction().executeWithoutResult(outer -> {
            insert(2);
            nested.executeWithoutResult(status -> {
                joined();
                status.setRollbackOnly();
            });
        });
        assertThat(place.orders()).isEqualTo(1);
        assertThat(idem.ledger().find(ORDER)).isEmpty();
        assertThat(idem.counts().runs()).isZero();

        inTransaction().executeWithoutResult(outer -> {
            joined();
            nested.executeWithoutResult(status -> {
                insert(3);
                status.setRollbackOnly();
            });
        });
        assertThat(place.orders()).isEqualTo(2);
        assertThat(idem.counts().runs()).isEqualTo(1);
    }

    /** The driver of PostgreSQL tells of no error when such a transaction is committed. SQLite commits it. */
    @ParameterizedTest
    @EnumSource
    void aTransactionThatAnErrorHasAbortedIsNotToldAsCommitted(Way way) throws SQLException {
        open(way);
        Runnable ordering = () -> inTransaction().executeWithoutResult(status -> {
            joined();
            assertThatThrownBy(() -> run("this is no SQL")).hasRootCauseInstanceOf(SQLException.class);
        });
        if (place.isSqlite()) {
            ordering.run();
        } else {
            assertThatThrownBy(ordering::run).hasMessageContaining("rolled back and not committed");
        }
        assertThat(place.orders()).isEqualTo(place.isSqlite() ? 1 : 0);
        assertThat(idem.counts().runs()).isEqualTo(place.orders());
        assertThat(idem.ledger().find(ORDER).isPresent()).isEqualTo(place.isSqlite());
    }

    /** The action's rows have no entry, and a retry would write them again. */
    @ParameterizedTest
    @EnumSource
    void aCallerThatIgnoresAnUnrecordedCallCanNotCommitItsRows(Way way) throws SQLException {
        open(way);
        assertThatThrownBy(() -> inTransaction().executeWithoutResult(status -> {
                    run("SAVEPOINT mine");
                    assertThatThrownBy(() -> join().run(call -> {
                                run("ROLLBACK TO SAVEPOINT mine");
                                return insert(1);
                            }))
                            .isInstanceOf(StaleTicketException.class);
                }))
                .hasMessageContaining("rolled back, because the entry of a joined call");
        assertThat(place.orders()).isZero();
        assertThat(idem.counts().runs()).isZero();
    }

    /** Nobody knows whether the commit took place. The database does, and the next call asks it. */
    @ParameterizedTest
    @EnumSource
    void aCommitWithoutAnAnswerIsAskedForByTheNextCall(Way way) throws SQLException {
        open(way);
        for (boolean done : new boolean[] {false, true}) {
            try (Shop losing = shop(way, new LosingCommits(pool, done))) {
                TransactionTemplate lost = new TransactionTemplate(losing.manager());
                assertThatThrownBy(() -> lost.execute(status -> join().attempt(call -> {
                            losing.insert().accept(1);
                            return "ordered";
                        })))
                        .hasStackTraceContaining("the connection is gone");
            }
            assertThat(idem.counts().runs()).isZero();
            assertThat(place.orders()).isEqualTo(done ? 1 : 0);
        }
        assertThat(joinedIn(inTransaction())).isInstanceOf(Outcome.Replayed.class);
        assertThat(place.orders()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionOfAnotherDatabaseIsRefused(Way way) throws Exception {
        open(way);
        Place other = place.isSqlite()
                ? Place.sqlite(Files.createDirectory(folder.resolve("other")))
                : Place.postgresql("other");
        // It has a ledger of its own, which is not ours.
        try (HikariDataSource others = other.pool(1)) {
            TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(others));
            assertThatThrownBy(() -> elsewhere.execute(status -> joined()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("database", "idem.ledger=datasource");
        }
        assertThat(place.orders()).isZero();

        TransactionTemplate readOnly = inTransaction();
        readOnly.setReadOnly(true);
        assertThatThrownBy(() -> readOnly.execute(status -> joined())).hasMessageContaining("read-only");
        assertThatThrownBy(() -> join().run(call -> insert(1))).hasMessageContaining("in no transaction");
    }

    @ParameterizedTest
    @EnumSource
    void anOutsideEffectHappensOnceAlthoughTheTransactionRollsBack(Way way) throws SQLException {
        open(way);
        for (int time = 0; time < 2; time++) {
            inTransaction().executeWithoutResult(status -> {
                assertThat(charge()).isEqualTo(1);
                insert(1);
                status.setRollbackOnly();
            });
        }
        inTransaction().executeWithoutResult(status -> {
            assertThat(charge()).isEqualTo(1);
            insert(1);
        });
        assertThat(effects).hasValue(1);
        assertThat(place.orders()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void anOutsideEffectAfterAWriteIsRefusedWhereTheFileHasOneWriter(Way way) throws SQLException {
        open(way);
        assumeTrue(place.isSqlite(), "PostgreSQL takes many writers");
        assumeFalse(way.name().endsWith("JPA"), "JPA writes at the commit");
        inTransaction().executeWithoutResult(status -> {
            insert(1);
            assertThatThrownBy(this::charge).hasMessageContaining("before the first write");
        });
        assertThat(effects).hasValue(0);
    }

    /** Both connections of the pool are in use: a ledger that took a third one from it would wait for ever. */
    @ParameterizedTest
    @EnumSource
    void twoThreadsWithAPoolOfTwoDoNotWaitForEachOther(Way way) throws Exception {
        open(way);
        CyclicBarrier bothInside = new CyclicBarrier(2);
        CompletableFuture<?>[] both = new CompletableFuture<?>[2];
        for (int i = 0; i < 2; i++) {
            String key = "k" + i;
            Runnable inside = () -> inTransaction().executeWithoutResult(status -> {
                await(bothInside);
                idem.operation("charge")
                        .key(key)
                        .policy(Policy.unset().transaction(TransactionMode.INDEPENDENT))
                        .run(call -> effects.incrementAndGet());
            });
            // The common pool may have one thread only.
            both[i] = CompletableFuture.runAsync(inside, task -> new Thread(task, "inside").start());
        }
        CompletableFuture.allOf(both).get(60, TimeUnit.SECONDS);
        assertThat(effects).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void aTransactionThatComesTooLateIsToBeginAgain(Way way) throws SQLException {
        open(way);
        assumeFalse(place.isSqlite() && way.name().endsWith("JPA"), "the plain dialect reads nothing at the beginning");
        TransactionTemplate snapshot = inTransaction();
        if (!place.isSqlite()) {
            snapshot.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        }
        TransactionTemplate requiresNew = inTransaction();
        requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        assertThatThrownBy(() -> snapshot.execute(status -> {
                    read();
                    requiresNew.execute(faster -> joined());
                    return joined();
                }))
                .isInstanceOf(ConcurrencyFailureException.class)
                .hasMessageContaining("begin it again");
        assertThat(place.orders()).isEqualTo(1);
        assertThat(joinedIn(inTransaction())).isInstanceOf(Outcome.Replayed.class);
    }

    /** Spring takes a connection back that is not part of the transaction, and keeps an empty holder. */
    @ParameterizedTest
    @EnumSource
    void aConnectionThatSpringHasTakenBackIsNotAsked(Way way) throws SQLException {
        open(way);
        TransactionTemplate requiresNew = inTransaction();
        requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        try (HikariDataSource reports = place.pool(1)) {
            inTransaction().executeWithoutResult(status -> {
                read(reports);
                requiresNew.executeWithoutResult(inner -> {});
                assertThat(joined()).isInstanceOf(Outcome.Done.class);
            });
        }
        assertThat(place.orders()).isEqualTo(1);
    }

    /** Only one of them is committed, and the rows may be written through the other. */
    @ParameterizedTest
    @EnumSource
    void twoConnectionsToTheDatabaseOfTheLedgerAreRefused(Way way) throws SQLException {
        open(way);
        Connection uncommitted = place.connect();
        uncommitted.setAutoCommit(false);
        SingleConnectionDataSource reports = new SingleConnectionDataSource(uncommitted, true);
        try {
            inTransaction().executeWithoutResult(status -> {
                read(reports);
                assertThatThrownBy(this::joined)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("2 connections");
            });
        } finally {
            reports.destroy();
        }
        assertThat(place.orders()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aNewTransactionInsideAnIndependentCallCanBeJoined(Way way) throws SQLException {
        open(way);
        TransactionTemplate requiresNew = inTransaction();
        requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        Operation<String> independent = idem.operation("checkout")
                .key("7")
                .policy(Policy.unset().transaction(TransactionMode.INDEPENDENT))
                .returning(String.class);
        inTransaction().executeWithoutResult(status -> {
            assertThat(independent.attempt(call -> joined().value()).failure())
                    .hasMessageContaining("independent of the same transaction");
            status.setRollbackOnly();
        });
        assertThat(idem.ledger().find(ORDER)).isEmpty();
        idem.ledger()
                .forget(idem.ledger()
                        .find(new Address("default", "checkout", "7"))
                        .orElseThrow());
        inTransaction().executeWithoutResult(status -> {
            assertThat(independent.attempt(call -> joinedIn(requiresNew).value()))
                    .isInstanceOf(Outcome.Done.class);
            status.setRollbackOnly();
        });
        assertThat(place.orders()).isEqualTo(1);
    }

    /** Fixes the moment that the transaction sees. */
    private void read() {
        read(pool);
    }

    private static void read(DataSource pool) {
        Connection connection = DataSourceUtils.getConnection(pool);
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM orders")) {
            row.next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, pool);
        }
    }

    private void run(String sql) {
        Connection connection = DataSourceUtils.getConnection(pool);
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, pool);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private TransactionTemplate inTransaction() {
        return new TransactionTemplate(shop.manager());
    }

    private Operation<String> order() {
        return idem.operation("order").key("7").returning(String.class);
    }

    private Operation<String> join() {
        return order().policy(Policy.unset().transaction(TransactionMode.JOIN));
    }

    private Outcome<String> joined() {
        return join().attempt(call -> insert(1));
    }

    private Outcome<String> joinedIn(TransactionTemplate transaction) {
        return Objects.requireNonNull(transaction.execute(status -> joined()));
    }

    private int charge() {
        return idem.operation("charge")
                .key("7")
                .policy(Policy.unset().transaction(TransactionMode.INDEPENDENT))
                .returning(Integer.class)
                .run(call -> effects.incrementAndGet());
    }

    private String insert(long id) {
        shop.insert().accept(id);
        return "ordered";
    }

    /** A pool whose connections give no answer to a commit, which was done or was not. */
    private static final class LosingCommits extends DelegatingDataSource {
        private final boolean done;

        LosingCommits(DataSource pool, boolean done) {
            super(pool);
            this.done = done;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("commit")) {
                            if (done) {
                                real.commit();
                            } else {
                                real.rollback();
                            }
                            throw new SQLException("the connection is gone", "08006");
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
