package dev.idem.spring;

import org.jspecify.annotations.Nullable;

/** A transaction was rolled back although its method has returned. */
final class SilentRollbackException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Object result;

    SilentRollbackException(String method, @Nullable Object result) {
        super(told(method));
        this.result = result;
    }

    static String told(String method) {
        return "the transaction of " + method + " was rolled back although the method has returned, for instance by"
                + " setRollbackOnly() or because an ignored error of SQL has aborted it: its rows are not there, and other"
                + " effects may be";
    }

    /** The result of the method. */
    @Nullable
    Object result() {
        return result;
    }
}
