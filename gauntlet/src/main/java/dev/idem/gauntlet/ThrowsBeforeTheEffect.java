package dev.idem.gauntlet;

import java.util.concurrent.atomic.AtomicInteger;

/** The operation fails before it has any effect, and says so; the caller tries again. */
final class ThrowsBeforeTheEffect implements RightScenario {
    @Override
    public String name() {
        return "exception before the effect";
    }

    @Override
    public Verdict put(Arena arena) {
        AtomicInteger tries = new AtomicInteger();
        Work work = () -> {
            if (tries.incrementAndGet() == 1) {
                throw new NothingHappened();
            }
            return "done";
        };
        arena.call("k", work);
        Answer again = arena.call("k", work);
        return Verdict.of(again.is("done") && tries.get() == 2, "retry: " + again);
    }
}
