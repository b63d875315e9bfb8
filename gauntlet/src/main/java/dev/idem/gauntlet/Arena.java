package dev.idem.gauntlet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One contender with its own store, the pace, and threads that end with it. */
final class Arena implements AutoCloseable {
    /** Longer than any contender needs; a contender that takes longer is stuck. */
    static final long PATIENCE_SECONDS = 30;

    static final Map<String, Object> PAYLOAD = Map.of("customer", "cus_1");

    private final Servers servers;
    private final Entrant entrant;
    private final Path folder;
    private final Pace pace;
    private final Contender contender;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "gauntlet");
        thread.setDaemon(true);
        return thread;
    });

    Arena(Entrant entrant, Path folder, Pace pace, Servers servers) throws Exception {
        this.servers = servers;
        this.entrant = entrant;
        this.folder = folder;
        this.pace = pace;
        this.contender = entrant.enter(folder);
    }

    Contender contender() {
        return contender;
    }

    Entrant entrant() {
        return entrant;
    }

    Servers servers() {
        return servers;
    }

    Path folder() {
        return folder;
    }

    Pace pace() {
        return pace;
    }

    /** Calls in this thread. */
    Answer call(String key, Work work) {
        return contender.call("charge", key, PAYLOAD, work);
    }

    Future<Answer> start(Callable<Answer> call) {
        return threads.submit(call);
    }

    /** Starts the same call many times at a gate, and collects the answers. */
    List<Answer> together(int callers, Callable<Answer> call) throws Exception {
        CountDownLatch ready = new CountDownLatch(callers);
        CountDownLatch gate = new CountDownLatch(1);
        List<Future<Answer>> started = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            started.add(threads.submit(() -> {
                ready.countDown();
                gate.await();
                return call.call();
            }));
        }
        ready.await();
        gate.countDown();
        List<Answer> answers = new ArrayList<>();
        for (Future<Answer> each : started) {
            answers.add(await(each));
        }
        return answers;
    }

    static Answer await(Future<Answer> answer) throws Exception {
        return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    static Work counting(AtomicInteger runs, String value) {
        return () -> {
            runs.incrementAndGet();
            return value;
        };
    }

    /** Waits as long as an operation takes. */
    static void take(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        contender.close();
    }
}
