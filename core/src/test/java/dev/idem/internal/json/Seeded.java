package dev.idem.internal.json;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a property many times on random input; a failure names the seed, which {@code -Didem.seed} repeats. */
public final class Seeded {
    private Seeded() {}

    public static void times(int count, Consumer<Random> property) {
        long start = Long.getLong("idem.seed", System.nanoTime());
        int runs = Integer.getInteger("idem.runs", count);
        for (int i = 0; i < runs; i++) {
            long seed = start + i;
            try {
                property.accept(new Random(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("Fails with -Didem.seed=" + seed + " (run " + i + "): " + e.getMessage(), e);
            }
        }
    }
}
