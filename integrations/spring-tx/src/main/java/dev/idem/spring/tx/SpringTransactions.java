package dev.idem.spring.tx;

import dev.idem.LedgerException;
import dev.idem.spi.AmbientTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions of Spring: those of {@code @Transactional} methods and of a {@code TransactionTemplate}, through a
 * {@code DataSource} or JPA.
 *
 * <pre>{@code
 * Idem idem = Idem.builder().ledger("postgresql://db/shop").transactions(new SpringTransactions()).open();
 * }</pre>
 *
 * <p>A call inside a transaction declares a {@link dev.idem.TransactionMode}, or is refused. Thread-safe.
 */
public final class SpringTransactions implements AmbientTransactions {
    @Override
    public @Nullable Ambient current() {
        return TransactionSynchronizationManager.isActualTransactionActive() ? new Current(holders()) : null;
    }

    private static List<ConnectionHolder> holders() {
        List<ConnectionHolder> holders = new ArrayList<>();
        for (Map.Entry<Object, Object> resource :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            // Without a handle, Spring has taken the connection back: it was not part of the transaction.
            if (resource.getKey() instanceof DataSource
                    && resource.getValue() instanceof ConnectionHolder holder
                    && holder.getConnectionHandle() != null) {
                holders.add(holder);
            }
        }
        return holders;
    }

    /**
     * The transaction of this thread. Spring keeps all its other parts.
     *
     * @param holders one for each {@code DataSource}, the same ones as long as the transaction lasts
     */
    private record Current(List<ConnectionHolder> holders) implements Ambient {
        private static final Set<String> SERIALIZATION_FAILURE_AND_DEADLOCK = Set.of("40001", "40P01");
        private static final Set<Integer> SQLITE_BUSY_AND_LOCKED = Set.of(5, 6);
        private static final int SQLITE_PRIMARY_CODE = 0xFF;

        @Override
        public List<Connection> connections() {
            return holders.stream().map(ConnectionHolder::getConnection).toList();
        }

        @Override
        public boolean shares(Ambient other) {
            return other instanceof Current current
                    && holders.stream()
                            .anyMatch(mine -> current.holders.stream().anyMatch(its -> its == mine));
        }

        @Override
        public boolean isReadOnly() {
            return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
        }

        @Override
        public void beforeCommit(Runnable check) {
            register(new AtCommit(
                    () -> {
                        try {
                            check.run();
                        } catch (LedgerException e) {
                            throw refused(e);
                        }
                    },
                    () -> {}));
        }

        @Override
        public void afterCommit(Runnable code) {
            register(new AtCommit(() -> {}, code));
        }

        /** Not by a mark on a resource: each transaction manager looks at marks of its own. */
        @Override
        public void setRollbackOnly() {
            register(new AtCommit(
                    () -> {
                        throw new IllegalStateException("the transaction was rolled back, because the entry of a"
                                + " joined call could not be written in it");
                    },
                    () -> {}));
        }

        private static void register(AtCommit synchronization) {
            if (TransactionSynchronizationManager.isSynchronizationActive()) {
                TransactionSynchronizationManager.registerSynchronization(synchronization);
            }
        }

        private RuntimeException refused(LedgerException e) {
            RuntimeException translated = translated(e);
            return translated == e
                    ? new IllegalStateException(
                            "the transaction was rolled back and not committed: " + e.getMessage(), e)
                    : translated;
        }

        @Override
        public RuntimeException translated(LedgerException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException sql && isConflict(sql)) {
                    return new ConcurrencyFailureException(
                            "another transaction was faster, and this one can't go on: begin it again from the start ("
                                    + e.getMessage() + ")",
                            e);
                }
            }
            return e;
        }

        private static boolean isConflict(SQLException e) {
            String state = e.getSQLState();
            if (e.getClass().getName().startsWith("org.sqlite.")) {
                return SQLITE_BUSY_AND_LOCKED.contains(e.getErrorCode() & SQLITE_PRIMARY_CODE);
            }
            return state != null && SERIALIZATION_FAILURE_AND_DEADLOCK.contains(state);
        }
    }

    /**
     * Runs code at the commit, unless a nested transaction that it belongs to was rolled back before. Spring rolls back after
     * an exception of the code before, except after a {@code TransactionException}: that would be one of the commit.
     */
    private static final class AtCommit implements TransactionSynchronization {
        private final Runnable before;
        private final Runnable after;
        private final List<Object> nestedLater = new ArrayList<>();
        private boolean rolledBack;

        AtCommit(Runnable before, Runnable after) {
            this.before = before;
            this.after = after;
        }

        @Override
        public void savepoint(Object savepoint) {
            nestedLater.add(savepoint);
        }

        @Override
        public void savepointRollback(Object savepoint) {
            rolledBack |= nestedLater.stream().noneMatch(each -> each == savepoint);
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            if (!rolledBack) {
                before.run();
            }
        }

        @Override
        public void afterCommit() {
            if (!rolledBack) {
                after.run();
            }
        }
    }
}
