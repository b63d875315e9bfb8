package dev.idem.gauntlet;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A key that has been used comes again with another payload. */
final class OtherPayload implements RightScenario {
    @Override
    public String name() {
        return "same key, other payload";
    }

    @Override
    public Verdict put(Arena arena) {
        AtomicInteger runs = new AtomicInteger();
        Contender contender = arena.contender();
        contender.call("charge", "k", Map.of("customer", "cus_1"), Arena.counting(runs, "for cus_1"));
        Answer other = contender.call("charge", "k", Map.of("customer", "cus_2"), Arena.counting(runs, "for cus_2"));
        boolean ranForItself = runs.get() == 2 && other.is("for cus_2");
        return Verdict.of(other.isRefused() || ranForItself, Verdict.runs(runs.get()) + ", then: " + other);
    }
}
