package dev.idem.gauntlet;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An owner outlives its lease, a second one takes over and completes, and only then does the first one end. */
final class TakenOver implements RightScenario {
    @Override
    public String name() {
        return "slow owner taken over";
    }

    @Override
    public Set<Contender.Offer> needs() {
        return Set.of(Contender.Offer.TAKE_OVER);
    }

    @Override
    public Verdict put(Arena arena) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Duration lease = arena.pace().lease();
        Contender contender = arena.contender();
        Future<Answer> slow = arena.start(() -> contender.callFor(lease, "charge", "k", Arena.PAYLOAD, () -> {
            runs.incrementAndGet();
            running.countDown();
            awaitQuietly(end);
            return "slow";
        }));
        running.await();
        Answer taker = takeOver(contender, lease, Arena.counting(runs, "taker"));
        end.countDown();
        Answer late = Arena.await(slow);
        Answer after = contender.callFor(lease, "charge", "k", Arena.PAYLOAD, Arena.counting(runs, "third"));
        boolean right = taker.is("taker") && after.is("taker") && !late.is("slow") && runs.get() == 2;
        return Verdict.of(right, Verdict.runs(runs.get()) + ", slow owner: " + late + ", replay: " + after);
    }

    private static Answer takeOver(Contender contender, Duration lease, Work work) {
        long end = System.nanoTime() + lease.multipliedBy(20).toNanos();
        Answer answer;
        do {
            Arena.take(20);
            answer = contender.callFor(lease, "charge", "k", Arena.PAYLOAD, work);
        } while (answer.isRefused() && System.nanoTime() - end < 0);
        return answer;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(Arena.PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
