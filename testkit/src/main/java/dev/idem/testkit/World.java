package dev.idem.testkit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The outside world, where effects take place and stay. It counts them, and it can be asked, as a probe does; it never
 * refuses a second effect for the same key.
 */
public final class World {
    private final Map<String, Integer> effects = new LinkedHashMap<>();

    /** An effect takes place; gives a receipt that names the key and how many there are now. */
    public synchronized String act(String key) {
        return receipt(key, effects.merge(key, 1, Integer::sum));
    }

    /** How many effects there were for a key. */
    public synchronized int effects(String key) {
        return effects.getOrDefault(key, 0);
    }

    /** How many effects there were. */
    public synchronized int effects() {
        return effects.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Undoes whatever took effect for a key, as if it had never been. */
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
