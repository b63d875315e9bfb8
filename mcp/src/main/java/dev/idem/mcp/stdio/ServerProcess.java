package dev.idem.mcp.stdio;

import dev.idem.NotExecutedException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The server as a child process. A server that ends is started again, with a growing pause, and gets the messages that
 * began the conversation before any other.
 */
public final class ServerProcess {
    private static final int LONGEST_LINE = 256 * 1024 * 1024;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration STABLE = Duration.ofMinutes(1);
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    /**
     * Together less than the 4 seconds after which hosts kill the guard. A server that survives the guard would run on
     * without a host.
     */
    private static final int MILLIS_TO_END = 1500;

    private static final int MILLIS_AFTER_SIGNAL = 1000;
    private static final int SECONDS_AFTER_EXIT = 1;

    private final List<String> command;
    private final int restarts;
    private final Listener listener;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable Process process;
    private boolean ready;
    private boolean closed;
    /** How the server has ended for the last time; empty before. */
    private volatile String gone = "";

    /** Gets the output and the end of the server. All methods are called by the thread that reads from it. */
    public interface Listener {
        /** A line of the server. */
        void line(byte[] line);

        /**
         * The server has ended. Nothing that was sent to it will be answered.
         *
         * @param then the rest of a sentence, where it is not started again
         */
        void ended(String how, String then);

        /** The server was started again. The messages that began the conversation are to be sent with the writer. */
        void startedAgain(Writer writer);

        /** The server is not started again. */
        void over();
    }

    /** Writes to the server. */
    public interface Writer {
        void write(byte[] message) throws IOException;
    }

    public ServerProcess(List<String> command, int restarts, Listener listener) {
        this.command = List.copyOf(command);
        this.restarts = restarts;
        this.listener = listener;
    }

    /**
     * Starts the server and reads from it.
     *
     * @throws IOException if the command can't be started
     */
    public void start() throws IOException {
        Process first = started();
        set(first, true);
        Thread reader = new Thread(() -> readAll(first), "idem-mcp-server");
        reader.setDaemon(true);
        reader.start();
    }

    private Process started() throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void set(@Nullable Process now, boolean isReady) {
        lock.lock();
        try {
            process = now;
            ready = isReady;
            if (closed && now != null) {
                end(now);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void setReady(Process started) {
        lock.lock();
        try {
            // It may have ended meanwhile.
            ready = process == started;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Reads from the server and from those that are started after it, until there is none. */
    private void readAll(Process first) {
        Process running = first;
        int failures = 0;
        while (running != null) {
            long since = System.nanoTime();
            read(running);
            set(null, false);
            end(running);
            failures = System.nanoTime() - since > STABLE.toNanos() ? 1 : failures + 1;
            boolean last = failures > restarts;
            String how = "exit code " + running.exitValue();
            String then = last ? ". It has ended " + times(failures) + " and is not started again" : "";
            if (last) {
                gone = how + then;
            }
            listener.ended(how, then);
            running = last || isClosed() ? null : again(failures);
        }
        close();
        listener.over();
    }

    private static String times(int failures) {
        return failures == 1 ? "once" : failures + " times in a row";
    }

    /** Reads until the server ends. A process that the server has left behind may hold its output for ever. */
    private void read(Process running) {
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> read = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    readLines(running, ended);
                    read.complete(null);
                },
                "idem-mcp-lines");
        reader.setDaemon(true);
        reader.start();
        CompletableFuture<?> exited = running.onExit()
                .thenRunAsync(() -> {}, CompletableFuture.delayedExecutor(SECONDS_AFTER_EXIT, TimeUnit.SECONDS));
        CompletableFuture.anyOf(read, exited).join();
        ended.set(true);
    }

    @SuppressWarnings("CatchingUnchecked") // whatever goes wrong, the calls that wait are to be told
    private void readLines(Process running, AtomicBoolean ended) {
        Lines lines = new Lines(running.getInputStream(), LONGEST_LINE);
        try {
            for (byte[] line = lines.next(); line != null && !ended.get(); line = lines.next()) {
                listener.line(line);
            }
        } catch (IOException | RuntimeException | Error e) {
            // A line over the limit, or too little memory: no later line can be trusted to be whole.
            running.destroy();
        }
    }

    private @Nullable Process again(int failures) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
        try {
            TimeUnit.NANOSECONDS.sleep((pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE).toNanos());
            Process next = started();
            set(next, false);
            // Another thread, because the answers to the first messages are read by this one.
            Thread greeting = new Thread(
                    () -> {
                        listener.startedAgain(message -> write(next, message));
                        setReady(next);
                    },
                    "idem-mcp-greeting");
            greeting.setDaemon(true);
            greeting.start();
            return next;
        } catch (IOException | InterruptedException e) {
            return null;
        }
    }

    /**
     * Writes a message when the server is ready.
     *
     * @param registered is called before the message is written, and before the server that gets it can be told to have
     *     ended
     * @throws NotExecutedException if the server does not run
     * @throws IOException if the server went while it was written
     */
    public void write(byte[] message, Runnable registered) throws IOException {
        Process now;
        lock.lock();
        try {
            long left = LONGEST_START.toNanos();
            while (!ready && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            now = process;
            if (closed || !ready || now == null || !now.isAlive()) {
                throw new NotExecutedException(
                        "the MCP server does not run" + (gone.isEmpty() ? "" : ": it ended with " + gone));
            }
            registered.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotExecutedException("interrupted before the call was sent", e);
        } finally {
            lock.unlock();
        }
        write(now, message);
    }

    /** A server that does not read blocks the writers, and nothing else. */
    private void write(Process to, byte[] message) throws IOException {
        writing.lock();
        try {
            OutputStream out = to.getOutputStream();
            out.write(message);
            out.write('\n');
            out.flush();
        } finally {
            writing.unlock();
        }
    }

    /** Ends the server: closes its input, and stops it if it does not end by itself. */
    public void close() {
        Process now;
        lock.lock();
        try {
            closed = true;
            now = process;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (now != null) {
            end(now);
        }
    }

    private static void end(Process process) {
        List<ProcessHandle> children = process.descendants().toList();
        // A writer may hold the stream until the process is gone.
        Thread closing = new Thread(() -> closeInput(process), "idem-mcp-close");
        closing.setDaemon(true);
        closing.start();
        try {
            if (!process.waitFor(MILLIS_TO_END, TimeUnit.MILLISECONDS)) {
                process.destroy();
            }
            if (!process.waitFor(MILLIS_AFTER_SIGNAL, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        children.stream().filter(ProcessHandle::isAlive).forEach(ProcessHandle::destroy);
    }

    private static void closeInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // Its input is closed in any case.
            return;
        }
    }
}
