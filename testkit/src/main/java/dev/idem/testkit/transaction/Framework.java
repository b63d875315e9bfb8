package dev.idem.testkit.transaction;

import dev.idem.LedgerException;
import dev.idem.spi.AmbientTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A framework with one transaction at a time. */
final class Framework implements AmbientTransactions, AmbientTransactions.Ambient {
    private final List<Runnable> beforeCommit = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private @Nullable Connection open;
    boolean readOnly;
    private boolean rollbackOnly;

    void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        open = connection;
        readOnly = false;
        rollbackOnly = false;
        beforeCommit.clear();
    }

    Connection connection() {
        return Objects.requireNonNull(open, "a transaction has begun");
    }

    void commit() throws SQLException {
        Connection ending = connection();
        try {
            beforeCommit.forEach(Runnable::run);
            if (rollbackOnly) {
                throw new IllegalStateException("the transaction can only be rolled back");
            }
        } catch (RuntimeException e) {
            rollback();
            throw e;
        }
        open = null;
        try (ending) {
            ending.commit();
        }
        List.copyOf(afterCommit).forEach(Runnable::run);
        afterCommit.clear();
    }

    void rollback() throws SQLException {
        Connection ending = open;
        open = null;
        afterCommit.clear();
        if (ending != null) {
            try (ending) {
                ending.rollback();
            }
        }
    }

    @Override
    public @Nullable Ambient current() {
        return open == null ? null : this;
    }

    @Override
    public List<?> connections() {
        return List.of(connection());
    }

    @Override
    public boolean shares(Ambient other) {
        return other == this;
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public void beforeCommit(Runnable check) {
        beforeCommit.add(check);
    }

    @Override
    public void afterCommit(Runnable code) {
        afterCommit.add(code);
    }

    @Override
    public void setRollbackOnly() {
        rollbackOnly = true;
    }

    @Override
    public RuntimeException translated(LedgerException e) {
        return e;
    }
}
