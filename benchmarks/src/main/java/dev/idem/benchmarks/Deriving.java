package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/**
 * The cost of deriving the key from ten fields. First calls in memory with a given and with a derived key take turns in
 * one process: between two processes, a difference of microseconds would be noise.
 */
final class Deriving implements Scenario {
    private static final int BATCH = 100;
    private static final int BATCHES = 200;

    @Override
    public String name() {
        return "memory, one thread, key of ten fields";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        Turns turns = Turns.take(effort, round -> derived(), round -> given());
        return List.of(Row.withoutPromise(
                "memory, first call, key of ten fields | given key",
                Units.time(turns.median(Turns::measured)),
                Units.time(turns.median(Turns::floor)),
                "+ " + Units.time(turns.median(Turns::differences))));
    }

    private static double given() {
        return perCall(number -> "req-" + number, Operation::key);
    }

    private static double derived() {
        return perCall(Deriving::tenFields, Operation::identity);
    }

    /** Nanoseconds a call, each on an identity that was just made, as a caller's would be. */
    private static <I> double perCall(IntFunction<I> numbered, BiFunction<Operation<String>, I, Operation<String>> by) {
        try (Idem idem = Ledgers.inMemory()) {
            long took = 0;
            for (int batch = 0; batch < BATCHES; batch++) {
                List<I> identities = new ArrayList<>(BATCH);
                for (int i = 0; i < BATCH; i++) {
                    identities.add(numbered.apply(batch * BATCH + i));
                }
                long start = System.nanoTime();
                for (I identity : identities) {
                    by.apply(idem.operation("charge").returning(String.class), identity)
                            .run(call -> "ok");
                }
                took += System.nanoTime() - start;
            }
            if (idem.counts().runs() != BATCHES * BATCH) {
                throw new AssertionError("a first call did not run");
            }
            return (double) took / BATCHES / BATCH;
        }
    }

    private static Map<String, Object> tenFields(int number) {
        return Map.of(
                "customer",
                "cus_" + number,
                "order",
                "ord_" + number,
                "cents",
                number,
                "currency",
                "EUR",
                "country",
                "DE",
                "channel",
                "web",
                "quantity",
                3,
                "gift",
                false,
                "article",
                "SKU-1000-42",
                "to",
                "someone@example.com");
    }
}
