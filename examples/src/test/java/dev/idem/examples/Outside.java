package dev.idem.examples;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A service of others: what it is asked for takes effect, and then its response may get lost. */
final class Outside {
    private final List<String> effects = new ArrayList<>();
    private final Map<String, String> byKey = new HashMap<>();
    private final Deque<IOException> troubles = new ArrayDeque<>();

    /** The next response gets lost, and its caller sees this instead. */
    Outside loses(IOException seen) {
        troubles.add(seen);
        return this;
    }

    /** Takes effect each time. */
    synchronized String act(String what) throws IOException {
        return answered(taken(what));
    }

    /** Takes effect once for each key, as payment services do. */
    synchronized String act(String what, String key) throws IOException {
        return answered(byKey.computeIfAbsent(key, first -> taken(what)));
    }

    synchronized Optional<String> find(String what) {
        return effects.contains(what) ? Optional.of(what) : Optional.empty();
    }

    synchronized List<String> effects() {
        return List.copyOf(effects);
    }

    private String taken(String what) {
        effects.add(what);
        return what + " #" + effects.size();
    }

    private String answered(String response) throws IOException {
        if (!troubles.isEmpty()) {
            throw troubles.remove();
        }
        return response;
    }
}
