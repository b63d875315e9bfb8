package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Counts;
import dev.idem.Entry;
import dev.idem.IdemException;
import dev.idem.Listener;
import dev.idem.Outcome;
import dev.idem.Warning;
import dev.idem.internal.runtime.Log;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts events and calls the listeners. An exception of a listener is logged. */
final class Events {
    private final List<Listener> listeners;
    private final Counters counters;
    private final Consumer<Runnable> publish;

    Events(List<Listener> listeners) {
        this(List.copyOf(listeners), new Counters(), Runnable::run);
    }

    private Events(List<Listener> listeners, Counters counters, Consumer<Runnable> publish) {
        this.listeners = listeners;
        this.counters = counters;
        this.publish = publish;
    }

    private record Counters(
            LongAdder runs,
            LongAdder replays,
            LongAdder waits,
            LongAdder takeOvers,
            LongAdder refusals,
            LongAdder warnings,
            LongAdder losses) {
        Counters() {
            this(
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder(),
                    new LongAdder());
        }
    }

    /** The same counters and listeners, for events that are published later or not at all. */
    Events publishedBy(Consumer<Runnable> later) {
        return new Events(listeners, counters, later);
    }

    Counts counts() {
        return new Counts(
                counters.runs.sum(),
                counters.replays.sum(),
                counters.waits.sum(),
                counters.takeOvers.sum(),
                counters.refusals.sum(),
                counters.warnings.sum(),
                counters.losses.sum());
    }

    void granted(Entry entry) {
        publish.accept(counters.runs::increment);
        tell(listener -> listener.granted(entry));
    }

    void replayed(Address address, boolean shared) {
        publish.accept(counters.replays::increment);
        tell(listener -> listener.replayed(address, shared));
    }

    void waited(Address address, Duration time) {
        publish.accept(counters.waits::increment);
        tell(listener -> listener.waited(address, time));
    }

    void tookOver(Entry entry, TakeOver how) {
        publish.accept(counters.takeOvers::increment);
        Log.info(() -> "took over " + entry.address() + " to " + how + " it, fence " + entry.fence());
        tell(listener -> listener.tookOver(entry, how));
    }

    void settled(Entry entry) {
        tell(listener -> listener.settled(entry));
    }

    void refused(IdemException why) {
        publish.accept(counters.refusals::increment);
        tell(listener -> listener.refused(why));
    }

    /** Publishes a refusal where the failure is an exception of Idem, and returns the outcome. */
    <T extends @Nullable Object> Outcome<T> refused(Outcome<T> outcome) {
        if (outcome.failure() instanceof IdemException why) {
            refused(why);
        }
        return outcome;
    }

    void warned(Address address, Warning warning) {
        publish.accept(counters.warnings::increment);
        Log.warn(() -> address + ": " + warning.message(), null);
        tell(listener -> listener.warned(address, warning));
    }

    void lost(Ticket ticket) {
        publish.accept(counters.losses::increment);
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
        publish.accept(() -> tellAll(event));
    }

    private void tellAll(Consumer<Listener> event) {
        for (Listener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable e) {
                Log.warn(() -> "a listener threw; the call is not affected", e);
            }
        }
    }
}
