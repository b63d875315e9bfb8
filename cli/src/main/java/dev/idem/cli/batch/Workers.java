package dev.idem.cli.batch;

import dev.idem.LedgerException;
import dev.idem.cli.around.Surroundings;
import dev.idem.command.Signals;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run the items of a batch, with their shared counts.
 *
 * @param <R> the resource of each thread
 */
final class Workers<R extends Closeable> {
    private final Surroundings around;
    private final Feed feed;
    private final Tally tally;
    private final ProgressBar progress;
    private final int stopAfter;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable LedgerException trouble;
    private volatile boolean stopped;

    Workers(Surroundings around, Feed feed, Tally tally, ProgressBar progress, int stopAfter) {
        this.around = around;
        this.feed = feed;
        this.tally = tally;
        this.progress = progress;
        this.stopAfter = stopAfter;
    }

    /**
     * Runs all items, or those before a signal or too many failures, and waits for the started ones.
     *
     * @param open opens the resource of a thread, with surroundings that have the thread's own signals
     * @param run runs one item
     * @throws LedgerException if the ledger can no longer be used
     */
    void run(int jobs, Function<Surroundings, R> open, BiFunction<R, Item, Tally.End> run) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            Thread thread = new Thread(() -> work(open, run), "idem-batch-" + i);
            threads.add(thread);
            thread.start();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            interrupted |= joined(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        LedgerException why = trouble;
        if (why != null) {
            throw why;
        }
    }

    /** Waits until the end: a signal that interrupts this thread has ended the others too. */
    private static boolean joined(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private void work(Function<Surroundings, R> open, BiFunction<R, Item, Tally.End> run) {
        Thread thread = Thread.currentThread();
        Signals signals = around.signals().part(thread);
        try (R own = open.apply(around.with(signals))) {
            while (signals.again(thread) && !stopped) {
                Item item = feed.take();
                if (item == null) {
                    return;
                }
                ended(item, run.apply(own, item));
            }
        } catch (InterruptedException | IOException e) {
            // A signal came while the thread was idle, or unused pipes could not be closed.
            return;
        } catch (LedgerException e) {
            trouble = e;
            stopped = true;
        }
    }

    private void ended(Item item, Tally.End end) {
        // Not synchronized: the bar is written under this lock.
        lock.lock();
        try {
            tally.count(end, item);
            tally.read(feed.count(), feed.isWhole());
            progress.show(tally);
            stopped = stopped || (stopAfter > 0 && tally.bad() >= stopAfter);
        } finally {
            lock.unlock();
        }
    }
}
