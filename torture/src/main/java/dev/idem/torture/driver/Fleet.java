package dev.idem.torture.driver;

import dev.idem.torture.worker.Orders;
import dev.idem.torture.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/** The workers of a run. A dead worker is replaced by one with another name. */
final class Fleet implements AutoCloseable {
    static final String LOGGING = "logging.properties";

    private final List<WorkerProcess> workers = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Path folder;
    private final List<String> jvmOptions;
    private final IntFunction<Orders> orders;
    private int started;
    private int strange;
    private boolean closed;

    /**
     * A fleet without workers.
     *
     * @param jvmOptions the options of their virtual machines
     * @param orders for the worker with this number, counted over the whole run
     */
    Fleet(Path folder, List<String> jvmOptions, IntFunction<Orders> orders) throws IOException {
        this.folder = folder;
        this.jvmOptions = jvmOptions;
        this.orders = orders;
        // Workers are meant to fail; their logs would fill the disk.
        Files.writeString(folder.resolve(LOGGING), ".level=OFF\n");
    }

    void start(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            workers.add(launch(0));
        }
    }

    private WorkerProcess launch(long largestFile) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("the run has ended");
            }
            return WorkerProcess.start(orders.apply(++started), jvmOptions, folder, largestFile);
        } finally {
            lock.unlock();
        }
    }

    WorkerProcess any(Random random) {
        return workers.get(random.nextInt(workers.size()));
    }

    /** Replaces a worker by one with less room for its files. */
    WorkerProcess replace(WorkerProcess worker, long largestFile) throws IOException {
        worker.kill();
        WorkerProcess next = launch(largestFile);
        workers.set(workers.indexOf(worker), next);
        return next;
    }

    /** Restarts dead workers; throws if a worker ended that the driver has not killed. */
    void revive() throws IOException {
        for (WorkerProcess worker : List.copyOf(workers)) {
            if (!worker.alive()) {
                int exit = worker.exit();
                boolean killed = exit == 128 + 9 || exit == WorkerMain.NO_LEDGER;
                if (!killed && ++strange > 3) {
                    throw new IOException("workers end by themselves with " + exit + ": " + worker.words());
                }
                replace(worker, 0);
            }
        }
    }

    /** Resumes and stops all workers, and returns how many have not ended in time. */
    int stop(Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (WorkerProcess worker : workers) {
            worker.goOn();
            worker.say("stop");
        }
        int late = 0;
        for (WorkerProcess worker : workers) {
            late += worker.ended(Duration.ofNanos(Math.max(1, end - System.nanoTime()))) ? 0 : 1;
        }
        return late;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        List.copyOf(workers).forEach(WorkerProcess::kill);
    }
}
