package dev.idem.cli.batch;

import dev.idem.LedgerException;
import dev.idem.cli.around.Surroundings;
import dev.idem.command.Signals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The threads that run the items of a batch, and the count they keep together. */
final class Crew {
    private final Surroundings around;
    private final Feed feed;
    private final Tally tally;
    private final Progress progress;
    private final int stopAfter;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable LedgerException trouble;
    private boolean stopped;

    Crew(Surroundings around, Feed feed, Tally tally, Progress progress, int stopAfter) {
        this.around = around;
        this.feed = feed;
        this.tally = tally;
        this.progress = progress;
        this.stopAfter = stopAfter;
    }

    /** Runs one item, on a thread of the crew. */
    interface Hand {
        Tally.End run(Item item);
    }

    /** The work of one thread. */
    interface Shift {
        void work(Hand hand) throws InterruptedException;
    }

    /** Has a shift worked, with whatever its thread needs for that. */
    interface Hands {
        void of(Surroundings around, Shift shift) throws IOException, InterruptedException;
    }

    /**
     * Runs all items, or as many as come before a signal or too much trouble, and waits for what was begun.
     *
     * @throws LedgerException when the ledger can't be used any more
     */
    void run(int jobs, Hands hands) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            Thread thread = new Thread(() -> work(hands), "idem-batch-" + i);
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

    /** Waits to the end: the signal that interrupts this thread has ended the others too. */
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

    private void work(Hands hands) {
        Signals signals = around.signals().part(Thread.currentThread());
        try {
            hands.of(around.with(signals), hand -> work(signals, hand));
        } catch (InterruptedException | IOException e) {
            // A signal came while there was nothing to do; or pipes that nobody uses any more could not be closed.
            return;
        } catch (LedgerException e) {
            giveUp(e);
        }
    }

    private void work(Signals signals, Hand hand) throws InterruptedException {
        while (signals.again(Thread.currentThread()) && !isStopped()) {
            Item item = feed.take();
            if (item == null) {
                return;
            }
            ended(item, hand.run(item));
        }
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private void ended(Item item, Tally.End end) {
        lock.lock();
        try {
            tally.count(end, item);
            tally.read(feed.count(), feed.isWhole());
            progress.show(tally);
            stopped |= stopAfter > 0 && tally.bad() >= stopAfter;
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(LedgerException why) {
        lock.lock();
        try {
            trouble = trouble == null ? why : trouble;
            stopped = true;
        } finally {
            lock.unlock();
        }
    }
}
