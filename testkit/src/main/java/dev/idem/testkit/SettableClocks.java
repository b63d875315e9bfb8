package dev.idem.testkit;

import dev.idem.entry.Moment;
import dev.idem.ledger.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** Clocks that stand still until they are moved. Safe to move and to read from any thread. */
public final class SettableClocks implements Clocks {
    // Ends in microseconds: finer than that need not survive in a ledger.
    private static final Instant START = Instant.parse("2026-03-01T12:00:00.123456Z");

    private volatile Moment now;

    /** Both clocks of a host that knows its boot. */
    public SettableClocks() {
        this(new Moment(START, "boot-1", Duration.ofHours(1).toNanos()));
    }

    private SettableClocks(Moment start) {
        this.now = start;
    }

    /** The clock of a host that has only wall time. */
    public static SettableClocks wallOnly() {
        return new SettableClocks(Moment.ofWall(START));
    }

    @Override
    public Moment now() {
        return now;
    }

    /** Lets time pass on both clocks. */
    public void advance(Duration duration) {
        move(moment -> moment.plus(duration));
    }

    /** Steps the wall clock, forwards or backwards, while no time passes. */
    public void stepWall(Duration by) {
        move(moment -> new Moment(moment.wall().plus(by), moment.boot(), moment.nanos()));
    }

    /** Starts the host anew: the wall goes on, the monotonic clock begins again under another boot. */
    public void reboot() {
        move(moment -> moment.boot().isEmpty()
                ? moment
                : new Moment(
                        moment.wall(),
                        nextBoot(moment.boot()),
                        Duration.ofSeconds(9).toNanos()));
    }

    private synchronized void move(UnaryOperator<Moment> step) {
        now = step.apply(now);
    }

    private static String nextBoot(String boot) {
        return "boot-" + (Integer.parseInt(boot.substring("boot-".length())) + 1);
    }

    @Override
    public String toString() {
        return "SettableClocks[" + now + "]";
    }
}
