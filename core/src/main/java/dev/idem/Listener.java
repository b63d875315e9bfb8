package dev.idem;

import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;

/**
 * An observer of calls, for metrics and logs. Every method does nothing by default.
 *
 * <pre>{@code
 * Idem idem = Idem.builder().ledger("sqlite:idem.db").listener(new Listener() {
 *     @Override
 *     public void replayed(Address address, boolean shared) {
 *         prevented.increment();
 *     }
 * }).open();
 * }</pre>
 *
 * <p>Methods are called in the thread of the call or of its heartbeat, from many threads at once: an implementation
 * must be thread-safe and fast. An exception of a listener is logged and does not reach the call.
 */
public interface Listener {
    /** An action is about to run. */
    default void granted(Entry entry) {}

    /** A duplicate was answered. {@code shared} means that the answer needed no round trip to the ledger. */
    default void replayed(Address address, boolean shared) {}

    /** A duplicate waited this long for a running attempt. */
    default void waited(Address address, Duration time) {}

    /** An entry in doubt was taken over. */
    default void tookOver(Entry entry, TakeOver how) {}

    /** An attempt was settled. */
    default void settled(Entry entry) {}

    /** A call ended without a value: in flight, conflict, in doubt, failed or expired. */
    default void refused(IdemException why) {}

    /** A call succeeded with a warning. */
    default void warned(Address address, Warning warning) {}

    /** A running action has lost its ticket: another owner took over, or the ledger can't be reached. */
    default void lost(Ticket ticket) {}

    /** The outcome of an action could not be written. */
    default void unrecorded(Ticket ticket, Throwable cause) {}
}
