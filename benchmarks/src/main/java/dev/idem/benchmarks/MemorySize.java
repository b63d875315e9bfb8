package dev.idem.benchmarks;

import dev.idem.Idem;
import java.util.List;

/** The heap that entries in memory take. */
final class MemorySize implements Scenario {
    @Override
    public String name() {
        return "memory, size";
    }

    @Override
    public List<Row> run(Effort effort) throws Exception {
        int each = Sample.each(effort, 1);
        long entries = (long) each * Sample.THREADS;
        try (Idem idem = Ledgers.inMemory();
                Crowd crowd = new Crowd(Sample.THREADS)) {
            Sample.fill(idem, crowd, "warm-up", 1);
            long before = Sample.heap();
            Sample.fill(idem, crowd, "a", each);
            long after = Sample.heap();
            return List.of(Sample.row(
                    "memory, heap for each of " + entries + " entries", (double) (after - before) / entries));
        }
    }
}
