package dev.idem.cli.run;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends signals to a command, as soon as there is one. */
final class Relay {
    private final AtomicReference<@Nullable Child> child = new AtomicReference<>();
    private final Queue<String> waiting = new ConcurrentLinkedQueue<>();

    void send(String signal) {
        waiting.add(signal);
        deliver();
    }

    /** They go there from now on, and what has come before too. */
    void to(Child started) {
        child.set(started);
        deliver();
    }

    private void deliver() {
        Child there = child.get();
        if (there != null) {
            for (String signal = waiting.poll(); signal != null; signal = waiting.poll()) {
                there.signal(signal);
            }
        }
    }
}
