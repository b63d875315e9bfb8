package dev.idem.gauntlet;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** A duplicate comes while the first call, which takes long, still runs. */
final class WhileItRuns implements RightScenario {
    @Override
    public String name() {
        return "duplicate while the first is slow";
    }

    @Override
    public Verdict put(Arena arena) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch running = new CountDownLatch(1);
        Work work = () -> {
            runs.incrementAndGet();
            running.countDown();
            Arena.take(arena.pace().slow().toMillis());
            return "done";
        };
        Future<Answer> first = arena.start(() -> arena.call("k", work));
        running.await();
        long asked = System.nanoTime();
        Answer duplicate = arena.call("k", work);
        boolean toldEarly = System.nanoTime() - asked < arena.pace().slow().toNanos() / 2;
        Answer owner = Arena.await(first);
        // The first had not succeeded when a duplicate was dropped, so silence is a false belief.
        boolean right = runs.get() == 1 && owner.is("done") && (duplicate.is("done") || duplicate.isRefused());
        return Verdict.of(
                right, Verdict.runs(runs.get()) + ", duplicate " + (toldEarly ? "at once: " : "waited: ") + duplicate);
    }
}
