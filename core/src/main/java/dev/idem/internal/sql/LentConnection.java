package dev.idem.internal.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** A connection lent for one transaction: the borrower can't end the transaction or use the connection afterwards. */
public final class LentConnection implements InvocationHandler {
    private static final Set<String> REFUSED = Set.of(
            "commit",
            "rollback",
            "setAutoCommit",
            "close",
            "abort",
            "setTransactionIsolation",
            "setReadOnly",
            "beginRequest",
            "endRequest");

    private final Connection connection;
    private volatile boolean returned;

    private LentConnection(Connection connection) {
        this.connection = connection;
    }

    /** Lends a connection. */
    public static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                LentConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new LentConnection(connection));
    }

    /** Revokes a connection that {@link #of} returned. */
    public static void takeBack(Connection lent) {
        if (Proxy.isProxyClass(lent.getClass()) && Proxy.getInvocationHandler(lent) instanceof LentConnection handler) {
            handler.returned = true;
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        // A rollback to a savepoint does not end the transaction.
        boolean toSavepoint = name.equals("rollback") && arguments != null && arguments.length == 1;
        if (REFUSED.contains(name) && !toSavepoint) {
            throw new SQLException("this connection is lent for one transaction, which Idem begins and ends: " + name
                    + "() is not allowed here. To undo the action's writes, throw an exception");
        }
        if (returned && !name.equals("isClosed") && method.getDeclaringClass() != Object.class) {
            throw new SQLException("this connection was lent for a transaction that has ended");
        }
        if (name.equals("isClosed")) {
            return returned || connection.isClosed();
        }
        if (name.equals("equals")) {
            return proxy == arguments[0];
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
