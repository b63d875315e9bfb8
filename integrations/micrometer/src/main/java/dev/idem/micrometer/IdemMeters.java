package dev.idem.micrometer;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.IdemException;
import dev.idem.Listener;
import dev.idem.Warning;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A meter for every event of the engine: {@code Idem.builder().listener(IdemMeters.of(registry))}.
 *
 * <p>Meters are tagged with the name of the operation, and not with scopes or keys: there are too many of them, and they
 * may identify a caller. Thread-safe.
 */
public final class IdemMeters implements Listener {
    private static final String OPERATION = "operation";

    private final MeterProvider<Counter> runs;
    private final MeterProvider<Counter> replays;
    private final MeterProvider<Counter> takeOvers;
    private final MeterProvider<Counter> refusals;
    private final MeterProvider<Counter> warnings;
    private final MeterProvider<Counter> losses;
    private final MeterProvider<Counter> unrecorded;
    private final MeterProvider<Timer> waits;
    private final MeterProvider<Timer> settled;

    private IdemMeters(MeterRegistry registry) {
        runs = counter(registry, "idem.runs", "Actions that were let run");
        replays = counter(registry, "idem.replays", "Duplicates that were answered: runs prevented");
        takeOvers = counter(registry, "idem.takeovers", "Entries in doubt that were taken over");
        refusals = counter(registry, "idem.refusals", "Calls that were given no value");
        warnings = counter(registry, "idem.warnings", "Calls that went well with something to know");
        losses = counter(registry, "idem.losses", "Tickets that were lost while their action ran");
        unrecorded = counter(registry, "idem.unrecorded", "Outcomes that could not be written");
        waits = timer(registry, "idem.waits", "How long duplicates waited for a running call");
        settled = timer(registry, "idem.settled", "Attempts that ended, from their claim on");
    }

    /** Meters in this registry. */
    public static IdemMeters of(MeterRegistry registry) {
        return new IdemMeters(registry);
    }

    @Override
    public void granted(Entry entry) {
        count(runs, entry.address());
    }

    @Override
    public void replayed(Address address, boolean shared) {
        count(replays, address, "shared", String.valueOf(shared));
    }

    @Override
    public void waited(Address address, Duration time) {
        waits.withTags(OPERATION, address.operation()).record(time);
    }

    @Override
    public void tookOver(Entry entry, TakeOver how) {
        count(takeOvers, entry.address(), "how", word(how));
    }

    @Override
    public void settled(Entry entry) {
        Instant end = entry.times().settled();
        Duration time =
                end == null ? Duration.ZERO : Duration.between(entry.times().claimed(), end);
        settled.withTags(
                        OPERATION,
                        entry.address().operation(),
                        "state",
                        entry.state().word())
                .record(time.isNegative() ? Duration.ZERO : time);
    }

    @Override
    public void refused(IdemException why) {
        Address address = why.address();
        String operation = address == null ? "none" : address.operation();
        refusals.withTags(OPERATION, operation, "reason", reason(why)).increment();
    }

    @Override
    public void warned(Address address, Warning warning) {
        count(warnings, address, "code", word(warning.code()));
    }

    @Override
    public void lost(Ticket ticket) {
        count(losses, ticket.address());
    }

    @Override
    public void unrecorded(Ticket ticket, Throwable cause) {
        count(unrecorded, ticket.address());
    }

    private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
        return Counter.builder(name).description(description).withRegistry(registry);
    }

    private static MeterProvider<Timer> timer(MeterRegistry registry, String name, String description) {
        return Timer.builder(name).description(description).withRegistry(registry);
    }

    private static void count(MeterProvider<Counter> counter, Address address) {
        counter.withTags(OPERATION, address.operation()).increment();
    }

    private static void count(MeterProvider<Counter> counter, Address address, String tag, String value) {
        counter.withTags(OPERATION, address.operation(), tag, value).increment();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The words of the states and outcomes: {@code in_doubt}, {@code ledger_unavailable}. */
    private static String reason(IdemException why) {
        String name = why.getClass().getSimpleName().replaceAll("Exception$", "");
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
