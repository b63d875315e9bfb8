package dev.idem.gauntlet;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The operation returns null; the duplicate must get null too, and nothing may run again. */
final class NullResult implements RightScenario {
    @Override
    public String name() {
        return "null result";
    }

    @Override
    public Set<Contender.Offer> needs() {
        return Set.of(Contender.Offer.REPLAY);
    }

    @Override
    public Verdict put(Arena arena) {
        AtomicInteger runs = new AtomicInteger();
        Work work = () -> {
            runs.incrementAndGet();
            return null;
        };
        arena.call("k", work);
        Answer again = arena.call("k", work);
        return Verdict.of(runs.get() == 1 && again.is(null), Verdict.runs(runs.get()) + ", replay: " + again);
    }
}
