package dev.idem.agent.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Time that passes only by sleeping, or by hand. */
final class SettableTiming implements Timing {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final List<Waiting> alarms = new CopyOnWriteArrayList<>();
    private final List<Duration> slept = new ArrayList<>();
    private long nanos;

    private record Waiting(long at, Runnable task) {}

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        slept.add(duration);
        advance(duration);
    }

    @Override
    public Alarm after(Duration duration, Runnable task) {
        Waiting waiting = new Waiting(nanos + duration.toNanos(), task);
        alarms.add(waiting);
        return () -> alarms.remove(waiting);
    }

    void advance(Duration duration) {
        nanos += duration.toNanos();
        List<Waiting> due = alarms.stream().filter(one -> one.at() - nanos <= 0).toList();
        alarms.removeAll(due);
        due.forEach(one -> one.task().run());
    }

    List<Duration> slept() {
        return slept;
    }

    int alarms() {
        return alarms.size();
    }
}
