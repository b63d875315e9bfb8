package dev.idem.gauntlet;

import java.util.concurrent.atomic.AtomicInteger;

/** The operation has its effect and then throws, as a time-out does; the caller tries again. */
final class ThrowsAfterTheEffect implements RightScenario {
    @Override
    public String name() {
        return "exception after the effect";
    }

    @Override
    public Verdict put(Arena arena) {
        AtomicInteger effects = new AtomicInteger();
        Work work = () -> {
            if (effects.incrementAndGet() == 1) {
                throw new IllegalStateException("no answer within 5 s");
            }
            return "done";
        };
        arena.call("k", work);
        Answer again = arena.call("k", work);
        return Verdict.of(effects.get() == 1 && again.isRefused(), Verdict.runs(effects.get()) + ", retry: " + again);
    }
}
