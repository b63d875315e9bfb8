package dev.idem.agent.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clocks and the sleep of the JDK, whose own timer thread rings the alarms. */
enum SystemTiming implements Timing {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    @Override
    public Alarm after(Duration duration, Runnable task) {
        CompletableFuture<Boolean> rings =
                new CompletableFuture<Boolean>().completeOnTimeout(true, duration.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> rung = rings.thenAccept(time -> {
            if (time) {
                task.run();
            }
        });
        // Completed by hand, the timer drops it at once.
        return () -> {
            if (!rung.isDone()) {
                rings.complete(false);
            }
        };
    }
}
