package dev.idem.gauntlet;

import java.util.concurrent.atomic.AtomicInteger;

/** An operation calls another one; then both are called again. */
final class Nested implements RightScenario {
    @Override
    public String name() {
        return "nested operations";
    }

    @Override
    public Verdict put(Arena arena) {
        AtomicInteger inner = new AtomicInteger();
        AtomicInteger outer = new AtomicInteger();
        Contender contender = arena.contender();
        Work mail = Arena.counting(inner, "mailed");
        Work order = () -> {
            outer.incrementAndGet();
            contender.call("mail", "inner", Arena.PAYLOAD, mail);
            return "ordered";
        };
        contender.call("charge", "outer", Arena.PAYLOAD, order);
        Answer outerAgain = contender.call("charge", "outer", Arena.PAYLOAD, order);
        Answer innerAgain = contender.call("mail", "inner", Arena.PAYLOAD, mail);
        boolean right = inner.get() == 1
                && outer.get() == 1
                && (outerAgain.is("ordered") || outerAgain instanceof Answer.Dropped)
                && (innerAgain.is("mailed") || innerAgain instanceof Answer.Dropped);
        return Verdict.of(
                right,
                "outer " + Verdict.runs(outer.get()) + ", again: " + outerAgain + "; inner " + Verdict.runs(inner.get())
                        + ", again: " + innerAgain);
    }
}
