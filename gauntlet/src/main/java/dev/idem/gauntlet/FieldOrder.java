package dev.idem.gauntlet;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** The payload is the key, and its fields come in another order the second time. */
final class FieldOrder implements RightScenario {
    @Override
    public String name() {
        return "field order of the payload";
    }

    @Override
    public Set<Contender.Offer> needs() {
        return Set.of(Contender.Offer.KEY_FROM_PAYLOAD);
    }

    @Override
    public Verdict put(Arena arena) {
        AtomicInteger runs = new AtomicInteger();
        Work work = Arena.counting(runs, "done");
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("customer", "cus_1");
        one.put("cents", 4200);
        Map<String, Object> other = new LinkedHashMap<>();
        other.put("cents", 4200);
        other.put("customer", "cus_1");
        arena.contender().callByPayload("charge", one, work);
        Answer again = arena.contender().callByPayload("charge", other, work);
        return Verdict.of(runs.get() == 1 && again.is("done"), Verdict.runs(runs.get()));
    }
}
