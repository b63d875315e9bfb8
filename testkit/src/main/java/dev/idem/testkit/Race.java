package dev.idem.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs contestants on separate threads that start together. */
public final class Race {
    private static final long PATIENCE_SECONDS = 60;

    private Race() {}

    /** Starts them together and returns their answers in the order of the contestants. */
    public static <T> List<T> between(List<? extends Callable<? extends T>> contestants) {
        CyclicBarrier gate = new CyclicBarrier(contestants.size());
        List<FutureTask<T>> runs = new ArrayList<>();
        for (Callable<? extends T> contestant : contestants) {
            FutureTask<T> run = new FutureTask<>(() -> {
                pass(gate);
                return contestant.call();
            });
            runs.add(run);
            Thread thread = new Thread(run, "contestant-" + runs.size());
            thread.setDaemon(true);
            thread.start();
        }
        List<T> answers = new ArrayList<>();
        for (FutureTask<T> run : runs) {
            answers.add(answer(run));
        }
        return answers;
    }

    /** Starts a number of equal contestants together. */
    public static <T> List<T> of(int contestants, Callable<? extends T> contestant) {
        List<Callable<? extends T>> all = new ArrayList<>();
        for (int i = 0; i < contestants; i++) {
            all.add(contestant);
        }
        return between(all);
    }

    private static void pass(CyclicBarrier gate) throws InterruptedException, BrokenBarrierException, TimeoutException {
        gate.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static <T> T answer(FutureTask<T> run) {
        try {
            return run.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("a contestant threw " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a contestant has not come in after " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the contestants", e);
        }
    }
}
