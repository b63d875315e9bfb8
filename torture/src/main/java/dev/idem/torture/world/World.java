package dev.idem.torture.world;

import dev.idem.torture.check.Answer;
import dev.idem.torture.check.Checker;
import dev.idem.torture.check.Line;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The outside world as a small server. It logs each message before it answers the worker, so that nothing is lost when
 * the worker is killed.
 */
public final class World implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Effects effects = new Effects();
    private final Checker checker;
    private final Map<String, Integer> counts = new TreeMap<>();
    private final long start = System.nanoTime();
    private final BufferedWriter log;
    private final ServerSocket server;

    /** Opens it on a free port and begins the log. */
    public World(Path logFile, Checker checker) throws IOException {
        this.checker = checker;
        this.log = Files.newBufferedWriter(logFile);
        this.server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        daemon("world", this::accept);
    }

    /** The port for workers. */
    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                daemon("world-client", () -> serve(socket));
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                BufferedWriter out =
                        new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8))) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null && line.endsWith(WorldClient.END); line = in.readLine()) {
                out.write(answer(Line.parse(line.substring(0, line.length() - WorldClient.END.length()))));
                out.write('\n');
                out.flush();
            }
        } catch (IOException e) {
            // The worker was killed: its lines stay in the log.
        }
    }

    /** Handles a worker's message and returns the answer. */
    private String answer(Line line) throws IOException {
        lock.lock();
        try {
            Effects.Reply reply = effects.of(line);
            write(reply.line().text());
            count(reply.line());
            checker.accept(reply.line());
            return reply.answer();
        } finally {
            lock.unlock();
        }
    }

    private void count(Line line) {
        counts.merge(line.getClass().getSimpleName(), 1, Integer::sum);
        if (line instanceof Line.Answered answered) {
            boolean none = answered.answer() == Answer.NONE;
            counts.merge(answered.answer() + (none ? " " + answered.said() : ""), 1, Integer::sum);
        }
    }

    /** Logs a deed of the driver; not judged. */
    public void note(String what) {
        look(judge -> {
            try {
                write("#\t" + what);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return what;
        });
    }

    private void write(String text) throws IOException {
        log.write((System.nanoTime() - start) / 1_000 + "\t" + text + "\n");
    }

    /** Queries the checker while no line is logged. */
    public <R> R look(Function<? super Checker, R> question) {
        lock.lock();
        try {
            return question.apply(checker);
        } finally {
            lock.unlock();
        }
    }

    /** The number of lines and answers of each kind. */
    public Map<String, Integer> counts() {
        return look(judge -> new TreeMap<>(counts));
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends the log. */
    @Override
    public void close() throws IOException {
        server.close();
        lock.lock();
        try {
            log.close();
        } finally {
            lock.unlock();
        }
    }
}
