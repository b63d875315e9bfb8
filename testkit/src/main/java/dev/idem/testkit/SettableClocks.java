package dev.idem.testkit;

import dev.idem.spi.Clocks;
import dev.idem.spi.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Clocks that stand still until a test moves them. Thread-safe. */
public final class SettableClocks implements Clocks {
    // In microseconds: a ledger need not store finer times.
    private static final Instant START = Instant.parse("2026-03-01T12:00:00.123456Z");

    private final Consumer<? super Instant> follower;
    private volatile Moment now;

    /** Both clocks of a host that knows its boot. */
    public SettableClocks() {
        this(new Moment(START, "boot-1", Duration.ofHours(1).toNanos()), wall -> {});
    }

    private SettableClocks(Moment start, Consumer<? super Instant> follower) {
        this.now = start;
        this.follower = follower;
    }

    /** The clock of a host that has only wall time. */
    public static SettableClocks wallOnly() {
        return new SettableClocks(Moment.ofWall(START), wall -> {});
    }

    /** Also passes the wall time to another clock, now and at every move. */
    public SettableClocks followedBy(Consumer<? super Instant> other) {
        other.accept(now.wall());
        return new SettableClocks(now, other);
    }

    @Override
    public Moment now() {
        return now;
    }

    /** Lets time pass on both clocks. */
    public void advance(Duration duration) {
        move(moment -> moment.plus(duration));
    }

    /** Steps the wall clock forwards or backwards. The monotonic clock stands still. */
    public void stepWall(Duration by) {
        move(moment -> new Moment(moment.wall().plus(by), moment.boot(), moment.nanos()));
    }

    /** Reboots the host: the wall time stays, the monotonic clock restarts with a new boot. */
    public void reboot() {
        move(moment -> moment.boot().isEmpty()
                ? moment
                : new Moment(
                        moment.wall(),
                        nextBoot(moment.boot()),
                        Duration.ofSeconds(9).toNanos()));
    }

    private synchronized void move(UnaryOperator<Moment> step) {
        Moment next = step.apply(now);
        follower.accept(next.wall());
        now = next;
    }

    private static String nextBoot(String boot) {
        return "boot-" + (Integer.parseInt(boot.substring("boot-".length())) + 1);
    }

    @Override
    public String toString() {
        return "SettableClocks[" + now + "]";
    }
}
