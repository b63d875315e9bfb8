package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.testkit.ChildProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapWatchTest {
    private boolean full;
    private long now;

    /** Fills its heap, and waits to be told. */
    static final class Filler {
        private Filler() {}

        public static void main(String[] args) throws IOException {
            HeapWatch.start(why -> {
                System.out.println(why);
                Runtime.getRuntime().halt(1);
            });
            if (args[0].equals("thread")) {
                new Thread(() -> fill(1000)).start();
            } else {
                List<byte[]> kept = fill(96);
                System.in.read();
                System.out.println("never told, with " + kept.size());
            }
            // Until the test ends.
            System.in.read();
        }

        private static List<byte[]> fill(int percent) {
            List<byte[]> kept = new ArrayList<>();
            Runtime runtime = Runtime.getRuntime();
            // The old generation is two thirds of the heap.
            while (percent > 100 || kept.size() * 100_000L < runtime.maxMemory() / 100 * percent) {
                try {
                    kept.add(new byte[100_000]);
                } catch (OutOfMemoryError e) {
                    if (percent > 100) {
                        throw e;
                    }
                    return kept;
                }
            }
            return kept;
        }
    }

    @Test
    void itMustEndWhereTheHeapStaysFull() {
        HeapWatch watch = new HeapWatch(() -> full, () -> now, why -> {});
        full = true;
        assertThat(watch.mustEnd()).isFalse();
        now += Duration.ofSeconds(29).toNanos();
        assertThat(watch.mustEnd()).isFalse();
        full = false;
        assertThat(watch.mustEnd()).isFalse();
        full = true;
        now += Duration.ofSeconds(29).toNanos();
        assertThat(watch.mustEnd()).isFalse();
        now += Duration.ofSeconds(30).toNanos();
        assertThat(watch.mustEnd()).isTrue();
    }

    @Test
    void aThreadThatEndsForWantOfMemoryIsTold() throws Exception {
        try (ChildProcess child = ChildProcess.start(List.of("-Xmx24m"), Filler.class, "thread")) {
            assertThat(child.rest()).hasSize(2).last().isEqualTo("exit 1");
        }
    }

    @Test
    void aHeapThatStaysFullIsTold() throws Exception {
        try (ChildProcess child = ChildProcess.start(List.of("-Xmx24m"), Filler.class, "heap")) {
            assertThat(child.line()).contains("full after each collection");
        }
    }
}
