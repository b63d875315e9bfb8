package dev.idem;

import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;

/** Watches what happens. A listener that throws harms nothing: what it throws is logged. */
public interface Listener {
    /** An action is about to run. */
    default void granted(Entry entry) {}

    /** A duplicate was answered; {@code shared}: without asking the ledger. */
    default void replayed(Address address, boolean shared) {}

    /** A duplicate waited this long for a running one. */
    default void waited(Address address, Duration time) {}

    /** An entry in doubt was taken over. */
    default void tookOver(Entry entry, TakeOver how) {}

    /** An attempt was settled. */
    default void settled(Entry entry) {}

    /** A call was given no value: in flight, conflict, in doubt, failed, expired. */
    default void refused(IdemException why) {}

    /** A call went well, but there is something to know. */
    default void warned(Address address, Warning warning) {}

    /** A running action has lost its ticket: somebody took over, or the ledger can't be reached. */
    default void lost(Ticket ticket) {}

    /** The outcome of an action could not be written. */
    default void unrecorded(Ticket ticket, Throwable cause) {}
}
