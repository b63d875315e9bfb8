package dev.idem.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that start at a gate, all at once, and time each of their calls. */
final class Crowd implements AutoCloseable {
    private final int size;
    private final ExecutorService threads;

    Crowd(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(size);
    }

    /** One call of a thread. */
    interface Call {
        void make(int thread, int number) throws Exception;
    }

    /** Each thread makes this many calls. */
    Latencies run(int calls, Call call) throws InterruptedException, ExecutionException {
        var gate = new CyclicBarrier(size + 1);
        List<Future<long[]>> running = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int thread = i;
            running.add(threads.submit(() -> {
                long[] nanos = new long[calls];
                gate.await();
                for (int number = 0; number < calls; number++) {
                    long start = System.nanoTime();
                    call.make(thread, number);
                    nanos[number] = System.nanoTime() - start;
                }
                return nanos;
            }));
        }
        pass(gate);
        long start = System.nanoTime();
        List<long[]> nanos = new ArrayList<>();
        for (Future<long[]> one : running) {
            nanos.add(one.get());
        }
        return new Latencies(nanos, System.nanoTime() - start);
    }

    private static void pass(CyclicBarrier gate) throws InterruptedException, ExecutionException {
        try {
            gate.await();
        } catch (BrokenBarrierException e) {
            throw new ExecutionException("a thread did not come to the gate", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
