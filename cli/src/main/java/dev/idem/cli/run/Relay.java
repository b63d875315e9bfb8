package dev.idem.cli.run;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends signals to the command once it is started. */
final class Relay {
    private final AtomicReference<@Nullable Child> child = new AtomicReference<>();
    private final Queue<String> waiting = new ConcurrentLinkedQueue<>();

    void send(String signal) {
        waiting.add(signal);
        deliver();
    }

    /** Sends earlier and later signals to the command. */
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
