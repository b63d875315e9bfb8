package dev.idem.testkit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A simulated remote system that counts effects. A probe can ask it. It never refuses a second effect for the same key.
 */
public final class World {
    private final Map<String, Integer> effects = new LinkedHashMap<>();

    /** Performs an effect and returns a receipt with the key and the number of its effects. */
    public synchronized String act(String key) {
        return receipt(key, effects.merge(key, 1, Integer::sum));
    }

    /** The number of effects for a key. */
    public synchronized int effects(String key) {
        return effects.getOrDefault(key, 0);
    }

    /** The number of all effects. */
    public synchronized int effects() {
        return effects.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Undoes all effects for a key. */
    public synchronized void undo(String key) {
        effects.remove(key);
    }

    /** The receipt of the first effect for a key, as a probe would find it. */
    public synchronized Optional<String> lookUp(String key) {
        return effects.containsKey(key) ? Optional.of(receipt(key, 1)) : Optional.empty();
    }

    /** The keys that took effect more than once, and how often. */
    public synchronized Map<String, Integer> repeated() {
        Map<String, Integer> repeated = new LinkedHashMap<>(effects);
        repeated.values().removeIf(count -> count == 1);
        return repeated;
    }

    private static String receipt(String key, int number) {
        return key + " #" + number;
    }
}
