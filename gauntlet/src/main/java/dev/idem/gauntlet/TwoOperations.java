package dev.idem.gauntlet;

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
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        Future<Answer> charges = arena.start(() -> callAll(arena, "charge", gate, runs, wrong));
        Future<Answer> mails = arena.start(() -> callAll(arena, "mail", gate, runs, wrong));
        gate.countDown();
        Arena.await(charges);
        Arena.await(mails);
        callAll(arena, "charge", gate, runs, wrong);
        callAll(arena, "mail", gate, runs, wrong);
        int twice = runs.get() - 2 * KEYS;
        return Verdict.of(
                twice == 0 && wrong.get() == 0,
                twice + " ran twice, " + wrong.get() + " wrong or refused, of " + 2 * KEYS);
    }

    private static Answer callAll(
            Arena arena, String operation, CountDownLatch gate, AtomicInteger runs, AtomicInteger wrong)
            throws InterruptedException {
        gate.await();
        for (int i = 0; i < KEYS; i++) {
            String value = operation + i;
            Answer answer = arena.contender().call(operation, "k" + i, Arena.PAYLOAD, Arena.counting(runs, value));
            if (!answer.is(value) && !(answer instanceof Answer.Dropped)) {
                wrong.incrementAndGet();
            }
        }
        return new Answer.Dropped();
    }
}
