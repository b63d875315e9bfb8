package dev.idem.agent.batch;

import dev.idem.ThreadLabels;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bounded number of threads that work on one sequence of items. The calling thread shows the progress. */
final class Crew<I> {
    private static final Logger LOG = System.getLogger("dev.idem.agent.batch");

    private final String name;
    private final int size;
    private final Stop stop;
    private final ReentrantLock turn = new ReentrantLock();

    Crew(String name, int size, Stop stop) {
        this.name = name;
        this.size = size;
        this.stop = stop;
    }

    /** Returns when all items are done; after a stop, when the running ones are. An interrupt is a stop. */
    void work(Iterator<? extends I> items, Consumer<I> each, ProgressView view, Supplier<Progress> progress) {
        List<I> first = new ArrayList<>(size);
        // No threads without work: most second passes have nothing to do.
        while (first.size() < size && items.hasNext()) {
            first.add(items.next());
        }
        CountDownLatch working = new CountDownLatch(first.size());
        for (int i = 0; i < first.size(); i++) {
            I mine = first.get(i);
            Thread thread =
                    new Thread(ThreadLabels.carry(() -> workOn(mine, items, each, working)), name + "-" + (i + 1));
            thread.setDaemon(true);
            thread.start();
        }
        await(working, view, progress);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever is thrown here is handed to the caller of the run
    private void workOn(I first, Iterator<? extends I> items, Consumer<I> each, CountDownLatch working) {
        try {
            for (I item = first; item != null; item = next(items)) {
                if (stop.stopped()) {
                    return;
                }
                each.accept(item);
            }
        } catch (Throwable thrown) {
            stop.because(thrown);
        } finally {
            working.countDown();
        }
    }

    private @Nullable I next(Iterator<? extends I> items) {
        turn.lock();
        try {
            return !stop.stopped() && items.hasNext() ? items.next() : null;
        } finally {
            turn.unlock();
        }
    }

    private void await(CountDownLatch working, ProgressView view, Supplier<Progress> progress) {
        boolean interrupted = false;
        long every = Math.max(1, view.every().toMillis());
        while (true) {
            try {
                if (working.await(every, TimeUnit.MILLISECONDS)) {
                    break;
                }
                tell(view, shown -> shown.show(progress.get()));
            } catch (InterruptedException e) {
                interrupted = true;
                stop.because("the calling thread was interrupted");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Calls the view. Its exceptions are logged and do not harm the run. */
    static void tell(ProgressView view, Consumer<ProgressView> what) {
        try {
            what.accept(view);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "progress could not be shown", e);
        }
    }
}
