package dev.idem.server;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.internal.json.JsonMembers;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries the API over a pipe: JSON-RPC 2.0, one object a line. Many requests may be in flight, and answers come in any
 * order. It ends when the input ends or the parent process is gone, also while requests are running.
 */
public final class StdioCarrier {
    /** Less than the 5 seconds within which the process ends. */
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(3);

    private static final int MOST_REFUSALS = 1000;
    private static final Duration LOOK_AT_PARENT = Duration.ofMillis(500);

    private final Api api;
    private final InputStream in;
    private final OutputStream out;
    private final Caller caller;
    private final RequestThreads threads = new RequestThreads();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock writing = new ReentrantLock();
    private final ThreadPoolExecutor refusals = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_REFUSALS),
            task -> daemon(task, "idem-serve-refusals"));
    private final long parent = parent();
    private boolean greeted;

    /** Serves the program at the other end of the streams; {@code user} is its user, for the trail. */
    public StdioCarrier(Api api, InputStream in, OutputStream out, String user) {
        this.api = api;
        this.in = new BufferedInputStream(in, 1 << 16);
        this.out = out;
        this.caller = Caller.local(user, () -> ended.getCount() > 0, true);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Serves until the input ends, the parent process is gone, this thread is interrupted, or {@link #end()} is called. */
    public void run() {
        daemon(this::read, "idem-serve-stdin").start();
        try {
            while (!ended.await(LOOK_AT_PARENT.toMillis(), TimeUnit.MILLISECONDS)) {
                if (parent() != parent) {
                    end();
                }
            }
            api.endWaits();
            threads.end(LAST_REQUESTS);
        } catch (InterruptedException e) {
            end();
            Thread.currentThread().interrupt();
        }
    }

    /** Takes no more requests. Those that are running get some seconds. */
    public void end() {
        ended.countDown();
    }

    private static long parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
    }

    private void read() {
        try {
            for (byte[] line = line(); line != null; line = line()) {
                if (line.length > 0) {
                    take(line);
                }
            }
        } catch (IOException e) {
            // The client is gone: as at the end of the input.
        } finally {
            end();
        }
    }

    /** The next line without its end; empty for one that was refused; null at the end of the input. */
    private byte @Nullable [] line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        long length = 0;
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                // Half a line is no request: its sender was cut off.
                return null;
            }
            if (++length <= Api.LARGEST_REQUEST) {
                line.write(c);
            }
        }
        if (length <= Api.LARGEST_REQUEST) {
            return line.toByteArray();
        }
        refuseLater(
                null,
                new ApiException(
                        ApiError.TOO_LARGE,
                        "a request has at most " + Api.LARGEST_REQUEST + " bytes, and this line has " + length
                                + ". Nothing was done"));
        return new byte[0];
    }

    private record Request(Object id, String method, String params) {}

    private void take(byte[] line) {
        Request request = request(line);
        if (request == null) {
            return;
        }
        if (!greeted) {
            if (request.method().equals("hello")) {
                // Here, and not beside others: nothing is served to a client that means another ledger.
                greeted = answer(request);
            } else {
                refuseLater(
                        request.id(),
                        ApiException.malformed("send hello first, with the protocol and the ledger you mean"));
            }
            return;
        }
        try {
            threads.execute(caller.client(), () -> answer(request));
        } catch (ApiException e) {
            refuseLater(request.id(), e);
        }
    }

    /** The request in a line; null if it is none, which was said. */
    private @Nullable Request request(byte[] line) {
        Object id = null;
        try {
            Object version = null;
            Object method = null;
            String params = "{}";
            JsonMembers members = new JsonMembers(line);
            for (String name = members.next(); name != null; name = members.next()) {
                switch (name) {
                    case "jsonrpc" -> version = members.value();
                    case "id" -> id = members.value();
                    case "method" -> method = members.value();
                    case "params" -> params = members.text();
                    default ->
                        throw ApiException.malformed(
                                "'" + name + "' is not known; a request has jsonrpc, id, " + "method and params");
                }
            }
            if (!(id instanceof Long || id instanceof String)) {
                throw ApiException.malformed(
                        "a request needs an id, a whole number or a text: there are no notifications");
            } else if (!"2.0".equals(version) || !(method instanceof String name)) {
                throw ApiException.malformed("a request has \"jsonrpc\":\"2.0\" and a method");
            } else {
                return new Request(id, name, params);
            }
        } catch (JsonException e) {
            refuseLater(id, ApiException.malformed("the line is no JSON object: " + e.getMessage()));
        } catch (ApiException e) {
            refuseLater(id, e);
        }
        return null;
    }

    /** Answers a request; false if with an error. */
    private boolean answer(Request request) {
        try {
            String answer = api.call(request.method(), request.params(), caller);
            write("{\"jsonrpc\":\"2.0\",\"id\":" + Json.writePlain(request.id()) + ",\"result\":" + answer + "}\n");
            return true;
        } catch (ApiException e) {
            refuse(request.id(), e);
        } catch (RuntimeException | Error e) {
            refuse(
                    request.id(),
                    new ApiException(
                            ApiError.INTERNAL,
                            "an error of the server: " + e
                                    + ". The step may have been made: send the same request again",
                            e));
        }
        return false;
    }

    /** Refuses a request without waiting until the client reads: the end of the input must be seen. */
    private void refuseLater(@Nullable Object id, ApiException why) {
        try {
            refusals.execute(() -> refuse(id, why));
        } catch (RejectedExecutionException e) {
            // A client that sends on and on and does not read its answers is not served any more.
            end();
        }
    }

    private void refuse(@Nullable Object id, ApiException why) {
        Map<String, @Nullable Object> error = new LinkedHashMap<>();
        error.put("code", why.error().number());
        error.put("message", String.valueOf(why.getMessage()));
        error.put("data", Map.of("code", why.error().word()));
        Map<String, @Nullable Object> response = new LinkedHashMap<>();
        response.put("jsonrpc", "2.0");
        response.put("id", id instanceof Long || id instanceof String ? id : null);
        response.put("error", error);
        write(Json.writePlain(response) + "\n");
    }

    private void write(String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        writing.lock();
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            // The client reads no more; its process decides what becomes of its tickets.
            end();
        } finally {
            writing.unlock();
        }
    }
}
