package dev.idem.server.notice;

import dev.idem.Idem;
import dev.idem.spi.Ledger;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells receivers about each call that needs a person, once: it is in doubt, waits for an approval, or its event was given
 * up. Several servers of one ledger tell it once together. Looks and sends in threads of its own. Thread-safe.
 */
public final class Notices implements AutoCloseable {
    /** How long there is between two looks, unless one takes long. */
    public static final Duration USUAL = Duration.ofSeconds(10);

    private static final Logger LOG = System.getLogger("dev.idem");
    private static final Duration FOR_MESSAGES = Duration.ofSeconds(2);
    private static final Duration FOR_THREADS = Duration.ofMillis(500);

    private final Idem idem;
    private final Needs needs;
    private final Duration every;
    private final List<Worker> workers;
    private final Thread looker = thread("idem-notices", this::look);
    private volatile boolean closed;

    private Notices(Ledger ledger, List<Channel> channels, @Nullable URI link, Duration every) {
        if (every.isNegative() || every.isZero()) {
            throw new IllegalArgumentException("the time between two looks must be positive, not " + every);
        }
        this.idem = Idem.builder()
                .ledger(ledger)
                .purgeEvery(Duration.ZERO)
                .settleFor(Duration.ofSeconds(1))
                .closeWait(Duration.ZERO)
                .keepDetails(false)
                .quiet()
                .open();
        this.needs = new Needs(idem);
        this.every = every;
        this.workers = channels.stream()
                .map(channel -> new Worker(channel, new Outbox(idem, channel, link, every)))
                .toList();
    }

    /**
     * Begins to look.
     *
     * @param ledger which stays the caller's to close
     * @param link where people reach the console; null if nowhere
     * @throws IllegalArgumentException if the ledger can't be browsed
     */
    public static Notices start(Ledger ledger, List<Channel> channels, @Nullable URI link, Duration every) {
        Notices notices = new Notices(ledger, channels, link == null ? null : folder(link), every);
        notices.workers.forEach(worker -> worker.thread.start());
        notices.looker.start();
        return notices;
    }

    private static URI folder(URI link) {
        return link.toString().endsWith("/") ? link : URI.create(link + "/");
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    private void look() {
        boolean failing = false;
        while (!closed) {
            long began = System.nanoTime();
            try {
                List<Need> found = needs.look();
                for (Worker worker : workers) {
                    worker.next(found);
                }
                failing = false;
            } catch (RuntimeException e) {
                failing = failing || isSaid("nobody can be told about calls that need a person", e);
            }
            long pause = Math.max(every.toNanos(), Needs.PART * (System.nanoTime() - began));
            try {
                TimeUnit.NANOSECONDS.sleep(pause);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private boolean isSaid(String what, RuntimeException why) {
        if (!closed) {
            LOG.log(Level.WARNING, () -> what + "; it is tried again", why);
        }
        return true;
    }

    /** Sends to one receiver, so that a slow one holds up no other. */
    private final class Worker {
        final ArrayBlockingQueue<List<Need>> newest = new ArrayBlockingQueue<>(1);
        final Outbox outbox;
        final Channel channel;
        final Thread thread;

        Worker(Channel channel, Outbox outbox) {
            this.channel = channel;
            this.outbox = outbox;
            this.thread = thread("idem-notices-" + channel.id(), this::work);
        }

        /** Takes the place of what it has not looked at. */
        void next(List<Need> list) {
            newest.clear();
            newest.offer(list);
        }

        private void work() {
            boolean failing = false;
            while (!closed) {
                try {
                    outbox.work(newest.take());
                    failing = false;
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    failing = failing || isSaid("notices can't be sent to " + channel, e);
                }
            }
        }
    }

    /** Ends within three seconds. A message that is being sent may end; what is not sent is sent after the next start. */
    @Override
    public void close() {
        closed = true;
        workers.forEach(worker -> worker.outbox.close());
        looker.interrupt();
        long end = System.nanoTime() + FOR_MESSAGES.toNanos();
        List<Thread> threads = new ArrayList<>(List.of(looker));
        for (Worker worker : workers) {
            threads.add(worker.thread);
            // An idle one wakes up.
            worker.next(List.of());
        }
        end(threads, end);
        threads.forEach(Thread::interrupt);
        end(threads, System.nanoTime() + FOR_THREADS.toNanos());
        idem.close();
    }

    private static void end(List<Thread> threads, long until) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            long left = until - System.nanoTime();
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
