package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Counts;
import dev.idem.Entry;
import dev.idem.IdemException;
import dev.idem.Listener;
import dev.idem.Warning;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts events and calls the listeners. An exception of a listener is logged. */
final class Events {
    private final List<Listener> listeners;
    private final LongAdder runs = new LongAdder();
    private final LongAdder replays = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final LongAdder takeOvers = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder warnings = new LongAdder();
    private final LongAdder losses = new LongAdder();

    Events(List<Listener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    Counts counts() {
        return new Counts(
                runs.sum(), replays.sum(), waits.sum(), takeOvers.sum(), refusals.sum(), warnings.sum(), losses.sum());
    }

    void granted(Entry entry) {
        runs.increment();
        tell(listener -> listener.granted(entry));
    }

    void replayed(Address address, boolean shared) {
        replays.increment();
        tell(listener -> listener.replayed(address, shared));
    }

    void waited(Address address, Duration time) {
        waits.increment();
        tell(listener -> listener.waited(address, time));
    }

    void tookOver(Entry entry, TakeOver how) {
        takeOvers.increment();
        Log.info(() -> "took over " + entry.address() + " to " + how + " it, fence " + entry.fence());
        tell(listener -> listener.tookOver(entry, how));
    }

    void settled(Entry entry) {
        tell(listener -> listener.settled(entry));
    }

    void refused(IdemException why) {
        refusals.increment();
        tell(listener -> listener.refused(why));
    }

    void warned(Address address, Warning warning) {
        warnings.increment();
        Log.warn(() -> address + ": " + warning.message(), null);
        tell(listener -> listener.warned(address, warning));
    }

    void lost(Ticket ticket) {
        losses.increment();
        Log.warn(
                () -> "the ticket for " + ticket.address() + " with fence " + ticket.fence() + " was lost while its "
                        + "action runs",
                null);
        tell(listener -> listener.lost(ticket));
    }

    void unrecorded(Ticket ticket, Throwable cause) {
        Log.error(() -> "the outcome of " + ticket.address() + " could not be written", cause);
        tell(listener -> listener.unrecorded(ticket, cause));
    }

    private void tell(Consumer<Listener> event) {
        for (Listener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                Log.warn(() -> "a listener threw; the call is not affected", e);
            }
        }
    }
}
