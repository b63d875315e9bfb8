package dev.idem.gauntlet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Two threads call two operations with many keys at the same time; then every call is made once more. */
final class TwoOperations implements RightScenario {
    private static final int KEYS = 200;

    @Override
    public String name() {
        return "two threads, two operations";
    }

    @Override
    public Verdict put(Arena arena) throws Exception {
        Map<String, Integer> runs = new ConcurrentHashMap<>();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        Future<Answer> charges = arena.start(() -> callAll(arena, "charge", gate, runs, wrong));
        Future<Answer> mails = arena.start(() -> callAll(arena, "mail", gate, runs, wrong));
        gate.countDown();
        Arena.await(charges);
        Arena.await(mails);
        callAll(arena, "charge", gate, runs, wrong);
        callAll(arena, "mail", gate, runs, wrong);
        long twice = runs.values().stream().filter(count -> count > 1).count();
        int never = 2 * KEYS - runs.size();
        return Verdict.of(
                twice == 0 && never == 0 && wrong.get() == 0,
                "of " + 2 * KEYS + ": " + twice + " ran twice, " + never + " never; " + wrong.get()
                        + " answers wrong or refused");
    }

    private static Answer callAll(
            Arena arena, String operation, CountDownLatch gate, Map<String, Integer> runs, AtomicInteger wrong)
            throws InterruptedException {
        gate.await();
        for (int i = 0; i < KEYS; i++) {
            String value = operation + i;
            Answer answer = arena.contender().call(operation, "k" + i, Arena.PAYLOAD, () -> {
                runs.merge(value, 1, Integer::sum);
                return value;
            });
            if (!answer.is(value) && !(answer instanceof Answer.Dropped)) {
                wrong.incrementAndGet();
            }
        }
        return new Answer.Dropped();
    }
}
