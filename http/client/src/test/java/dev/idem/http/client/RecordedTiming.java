package dev.idem.http.client;

import dev.idem.agent.retry.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A clock that a sleep moves, and nothing else. */
final class RecordedTiming implements Timing {
    static final Instant START = Instant.parse("2026-11-17T10:00:00Z");

    final List<Duration> slept = new CopyOnWriteArrayList<>();

    @Override
    public long nanos() {
        return slept.stream().mapToLong(Duration::toNanos).sum();
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos());
    }

    @Override
    public void sleep(Duration duration) {
        slept.add(duration);
    }

    @Override
    public Alarm after(Duration duration, Runnable task) {
        throw new UnsupportedOperationException("no try has a limit of its own here");
    }
}
