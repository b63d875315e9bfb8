package dev.idem.testkit.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.LedgerException;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.TransactionMode;
import dev.idem.spi.Retention;
import dev.idem.spi.Transactional;
import dev.idem.testkit.Race;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The contract of a ledger whose entries can be part of a transaction that a framework begins and ends. */
public abstract class JoinContract extends JoinedCommits {
    private static final Address OTHER = new Address("shop", "charge", "order-2");
    private static final Address OTHER_AGAIN = new Address("shop", "charge", "order-3");

    @Test
    void theSameKeyInTheSameTransactionReplays() throws SQLException {
        framework.begin(connect());
        order();
        assertThat(order()).isInstanceOf(Outcome.Replayed.class);
        framework.commit();
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void aSavepointTakesTheEntryBack() throws SQLException {
        framework.begin(connect());
        run(framework.connection(), "SAVEPOINT nested");
        order();
        run(framework.connection(), "ROLLBACK TO SAVEPOINT nested");
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        framework.commit();
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void anEntryThatHasEndedBeforeIsClaimedAgain() throws SQLException {
        charge(idem).label("try", "first").attempt(call -> {
            throw new NotExecutedException("no network");
        });
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        framework.rollback();
        assertThat(entry().state()).isEqualTo(State.FAILED);
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        framework.commit();
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
        assertThat(entry().attempt()).isEqualTo(2);
    }

    @Test
    void anotherTransactionWithTheKeyIsInFlight() throws SQLException {
        assumeFalse(transactional().exclusive(), "no caller can write while a transaction of this ledger is open");
        framework.begin(connect());
        order();
        Idem elsewhere = idem();
        Race.of(1, () -> {
            Outcome<String> refused = charge(elsewhere)
                    .policy(Policy.unset().waitFor(Duration.ofMillis(1)))
                    .attempt(call -> "never");
            assertThat(refused).isInstanceOf(Outcome.InFlight.class);
            assertThat(refused.failure()).hasMessageContaining("another transaction holds it");
            return "told";
        });
        Framework other = new Framework();
        Idem beside = open(builder(ledger(), processes().startOwner()).transactions(other));
        other.begin(connect());
        assertThat(joining(beside)
                        .policy(Policy.unset().waitFor(Duration.ofMillis(1)))
                        .attempt(call -> "never"))
                .isInstanceOf(Outcome.InFlight.class);
        // The transaction that was told so can go on.
        run(other.connection(), "INSERT INTO orders VALUES (2)");
        other.commit();
        framework.commit();

        assertThat(charge(elsewhere).run(call -> "never")).isEqualTo("ordered");
        assertThat(orders()).isEqualTo(2);
    }

    @Test
    void anIndependentEntryStaysAfterARollback() throws SQLException {
        Operation<String> independent = charge(idem).policy(Policy.unset().transaction(TransactionMode.INDEPENDENT));
        framework.begin(connect());
        assertThat(independent.run(call -> act())).isNotNull();
        framework.rollback();
        framework.begin(connect());
        assertThat(independent.attempt(call -> act())).isInstanceOf(Outcome.Replayed.class);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void anIndependentEntryIsRefusedWhereTheTransactionLocksTheLedger() throws SQLException {
        framework.begin(connect());
        insert();
        Operation<String> independent = charge(idem).policy(Policy.unset().transaction(TransactionMode.INDEPENDENT));
        if (transactional().exclusive()) {
            assertThatThrownBy(() -> independent.run(call -> act())).hasMessageContaining("before the first write");
            assertThat(effects()).isZero();
        } else {
            assertThat(independent.run(call -> act())).isNotNull();
        }
    }

    @Test
    void whatIsNotDeclaredIsRefused() throws SQLException {
        framework.begin(connect());
        assertThatThrownBy(() -> charge(idem).run(call -> act()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("JOIN")
                .hasMessageContaining("INDEPENDENT");
        assertThatThrownBy(() -> charge(idem).inTransaction(Connection.class).run((call, connection) -> act()))
                .hasMessageContaining("JOIN");
        assertThatThrownBy(() ->
                        charge(idem).inTransactionOn(framework.connection()).run((call, connection) -> act()))
                .hasMessageContaining("JOIN");
        framework.rollback();
        assertThatThrownBy(() -> joining().run(call -> act())).hasMessageContaining("in no transaction");
        framework.begin(connect());
        framework.readOnly = true;
        assertThatThrownBy(() -> joining().run(call -> act())).hasMessageContaining("read-only");
        assertThat(effects()).isZero();
        assertThat(ledger().find(KEY)).isEmpty();
    }

    /** A count of replays in this transaction would keep the entry locked until the transaction ends. */
    @Test
    void aReplayLocksNoEntry() throws SQLException {
        assumeFalse(transactional().exclusive(), "no caller can write while a transaction of this ledger is open");
        framework.begin(connect());
        order();
        framework.commit();
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Replayed.class);
        assertThat(ledger().forget(entry())).isTrue();
    }

    @Test
    void theFailureOfAnEarlierRunIsNoAnswerWhileATransactionRunsItAgain() throws SQLException {
        assumeFalse(transactional().exclusive(), "no caller can write while a transaction of this ledger is open");
        charge(idem).attempt(call -> {
            throw new NotExecutedException("no network");
        });
        framework.begin(connect());
        order();
        assertThat(attemptElsewhere()).isInstanceOf(Outcome.InFlight.class);
    }

    @Test
    void anExpiredEntryThatATransactionRunsAgainIsInFlight() throws SQLException {
        assumeFalse(transactional().exclusive(), "no caller can write while a transaction of this ledger is open");
        charge(idem)
                .policy(Policy.unset().retention(Retention.of(Duration.ofMinutes(1))))
                .run(call -> "long ago");
        pass(Duration.ofMinutes(2));
        framework.begin(connect());
        assertThat(order()).isInstanceOf(Outcome.Done.class);
        assertThat(attemptElsewhere()).isInstanceOf(Outcome.InFlight.class);
    }

    /** A caller outside of the transaction, which waits a little. */
    private Outcome<String> attemptElsewhere() {
        Idem elsewhere = idem();
        return Race.of(
                        1,
                        () -> charge(elsewhere)
                                .policy(Policy.unset().waitFor(Duration.ofMillis(100)))
                                .attempt(call -> "never"))
                .get(0);
    }

    /** It may have waited for another transaction with the key. */
    @Test
    void aClaimThatTakesLongLeavesTheActionItsWholeTime() throws SQLException {
        AtomicLong later = new AtomicLong();
        Idem slow = open(builder(ledger(), processes().startOwner())
                .transactions(framework)
                .nanos(() -> System.nanoTime() + later.get()));
        framework.begin(onFirstStatement(connect(), () -> later.set(LIMIT.toNanos())));
        assertThat(joining(slow).attempt(call -> "ordered")).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void anActionIsInterruptedAtItsTimeLimit() throws SQLException {
        AtomicLong later = new AtomicLong();
        Idem limited = open(builder(ledger(), processes().startOwner())
                .transactions(framework)
                .nanos(() -> System.nanoTime() + later.get()));
        framework.begin(connect());
        Outcome<String> stopped = joining(limited)
                .policy(Policy.unset().interruptible())
                .attempt(call -> {
                    later.set(LIMIT.toNanos());
                    new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                    return "too late";
                });
        assertThat(stopped.failure()).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aCallMayWaitForAsLongAsItLikes() throws SQLException {
        framework.begin(connect());
        assertThat(joining()
                        .policy(Policy.unset().waitFor(ChronoUnit.FOREVER.getDuration()))
                        .attempt(call -> "ordered"))
                .isInstanceOf(Outcome.Done.class);
    }

    @Test
    void aWriterElsewhereIsNotTakenForTheTransactionAroundTheCall() throws SQLException {
        assumeTrue(transactional().exclusive(), "many callers can write to this ledger");
        framework.begin(connect());
        Operation<String> independent = charge(idem).policy(Policy.unset().transaction(TransactionMode.INDEPENDENT));
        try (Connection other = connect()) {
            run(other, "BEGIN IMMEDIATE");
            assertThatThrownBy(() -> independent.run(call -> act())).isInstanceOf(LedgerException.class);
            run(other, "ROLLBACK");
        }
        assertThat(independent.run(call -> act())).isNotNull();
    }

    /** After a rollback the independent entry would be complete, and the rows of the joined one lost. */
    @Test
    void aCallCannotJoinTheTransactionThatTheCallAroundItIsIndependentOf() throws SQLException {
        Operation<String> independent =
                operation(idem, OTHER).policy(Policy.unset().transaction(TransactionMode.INDEPENDENT));
        framework.begin(connect());
        Outcome<String> refused = independent.attempt(call -> order().value());
        assertThat(refused.failure()).hasMessageContaining("independent of the same transaction");
        framework.rollback();
        assertThat(orders()).isZero();

        assertThat(operation(idem, OTHER_AGAIN).attempt(call -> {
                    framework.begin(connect());
                    Outcome<String> ordered = order();
                    framework.commit();
                    return ordered.value();
                }))
                .isInstanceOf(Outcome.Done.class);
        assertThat(orders()).isEqualTo(1);
    }

    private static Connection onFirstStatement(Connection connection, Runnable code) {
        AtomicBoolean first = new AtomicBoolean(true);
        return (Connection) Proxy.newProxyInstance(
                JoinContract.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement") && first.getAndSet(false)) {
                        code.run();
                    }
                    return method.invoke(connection, arguments);
                });
    }

    private Transactional<?> transactional() {
        return capability(Transactional.class);
    }
}
