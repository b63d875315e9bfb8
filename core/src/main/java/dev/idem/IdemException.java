package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * The root of all exceptions that Idem throws for a call. Exceptions of an action reach the caller unchanged.
 *
 * <pre>{@code
 * try {
 *     return idem.operation("charge").key("order-7").run(action);
 * } catch (IdemException e) {
 *     return e.mayTryAgain() ? retryLater() : askAPerson(e.getMessage());
 * }
 * }</pre>
 *
 * <p>The message names the operation and says what to do next.
 */
public abstract class IdemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Address address;

    IdemException(@Nullable Address address, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.address = address;
    }

    /** The address of the operation; null where the exception concerns the whole ledger. */
    public @Nullable Address address() {
        return address;
    }

    /**
     * True if the same call may be made again without harm, and may then get another answer. Always false where the action
     * ran and its result was not recorded ({@link UnrecordedException}, {@link StaleTicketException}).
     */
    public abstract boolean mayTryAgain();
}
