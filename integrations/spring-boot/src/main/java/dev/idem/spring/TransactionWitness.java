package dev.idem.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.AbstractTransactionStatus;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.util.ClassUtils;

/**
 * Keeps the status of the transaction that a method begins, directly inside of the advice that begins it. A transaction of the
 * method's caller is left alone: the caller ends it. A synchronization would not do: with a second transaction manager it is
 * called when the outer transaction ends.
 */
final class TransactionWitness implements MethodInterceptor {
    private static final boolean HAS_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.JdbcTransactionObjectSupport",
            TransactionWitness.class.getClassLoader());

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        OwnTransaction own = OwnTransaction.around(invocation);
        TransactionStatus status = own == null ? null : begun();
        if (own == null || status == null) {
            return invocation.proceed();
        }
        boolean[] aborted = {false};
        own.began(() -> status.isCompleted() && !aborted[0] && !isRollbackOnly(status));
        Object result = invocation.proceed();
        aborted[0] = HAS_JDBC && Jdbc.isAborted(status);
        return result;
    }

    private static @Nullable TransactionStatus begun() {
        try {
            TransactionStatus status = TransactionAspectSupport.currentTransactionStatus();
            return status.isNewTransaction() || status.hasSavepoint() ? status : null;
        } catch (NoTransactionException e) {
            return null;
        }
    }

    /** A mark on the resources is gone with them, but the commit has thrown because of it. */
    private static boolean isRollbackOnly(TransactionStatus status) {
        return status instanceof AbstractTransactionStatus known
                ? known.isLocalRollbackOnly()
                : status.isRollbackOnly();
    }

    /** Loaded only where the classes of Spring JDBC are. */
    private static final class Jdbc {
        /**
         * Whether an error has aborted the transaction. The driver of PostgreSQL rolls such a transaction back at the commit,
         * and tells of no error.
         */
        static boolean isAborted(TransactionStatus status) {
            if (!(status instanceof DefaultTransactionStatus known)
                    || !known.hasTransaction()
                    || !(known.getTransaction() instanceof JdbcTransactionObjectSupport jdbc)
                    || !jdbc.hasConnectionHolder()) {
                return false;
            }
            Connection connection = jdbc.getConnectionHolder().getConnection();
            try {
                if (!connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
                    return false;
                }
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT 1");
                }
                return false;
            } catch (SQLException e) {
                return true;
            }
        }
    }
}
