package dev.idem.server.http;

import dev.idem.server.Api;
import dev.idem.server.ApiError;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Tells readers that what they look at has changed: {@code GET /v1/events?filter=…} with the members of {@code browse}. An
 * event is a hint to read again, and nothing more. The ledger is asked only while somebody listens, once for all who have
 * the same filter and rights, and the less often the longer it takes.
 */
final class Events implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);
    private static final int SHARE = 20;
    private static final int MOST_READERS = 500;
    private static final int LONGEST_FILTER = 4096;

    private final Api api;
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private final Thread watch = new Thread(this::watch, "idem-events");
    private volatile boolean closed;

    Events(Api api) {
        this.api = api;
        watch.setDaemon(true);
        watch.start();
    }

    /** A filter and the rights of a reader: who has the same sees the same. */
    private record View(String filter, Object access) {}

    /** Somebody who listens. Written by the watching thread alone, one write at a time. */
    private static final class Reader {
        private final Caller caller;
        private final View view;
        private final Response response;
        private final Callback end;
        private volatile boolean writing;
        private volatile boolean gone;
        private @Nullable String seen;
        private long number;
        private long written;

        Reader(Caller caller, String filter, Response response, Callback end, @Nullable String seen) {
            this.caller = caller;
            this.view = new View(filter, caller.access());
            this.response = response;
            this.end = end;
            this.seen = seen;
        }

        void event(String name) {
            number++;
            write("id: " + number + "\nevent: " + name + "\ndata: {}\n\n");
        }

        void write(String text) {
            writing = true;
            written = System.nanoTime();
            response.write(
                    false,
                    ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)),
                    Callback.from(() -> writing = false, e -> {
                        gone = true;
                        end.failed(e);
                    }));
        }
    }

    /** Adds a reader, after a look at its filter and its rights. */
    void listen(Caller caller, Request request, Response response, Callback callback) {
        Fields query = Request.extractQueryParameters(request);
        String filter = query.getValue("filter");
        if (filter == null) {
            filter = "{}";
        } else if (filter.length() > LONGEST_FILTER) {
            throw new ApiException(ApiError.TOO_LARGE, "a filter has at most " + LONGEST_FILTER + " characters");
        }
        if (closed || readers.size() >= MOST_READERS) {
            throw new ApiException(ApiError.BUSY, "too many listen already, or the server is ending. Try again later");
        }
        boolean again = request.getHeaders().contains("Last-Event-ID");
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        // A proxy that collects a response would keep every event back.
        response.getHeaders().put("X-Accel-Buffering", "no");
        Reader reader = new Reader(caller, filter, response, callback, api.view(filter, caller));
        if (again) {
            reader.event("reload");
        } else {
            reader.write(": listening\n\n");
        }
        readers.add(reader);
        LockSupport.unpark(watch);
    }

    private void watch() {
        while (!closed) {
            long begin = System.nanoTime();
            if (readers.isEmpty()) {
                LockSupport.park(this);
                continue;
            }
            look();
            long pause = Math.max(LOOK_EVERY.toNanos(), SHARE * (System.nanoTime() - begin));
            LockSupport.parkNanos(this, pause);
        }
    }

    private void look() {
        readers.removeIf(reader -> reader.gone);
        Map<View, String> now = new HashMap<>();
        for (Reader reader : readers) {
            if (reader.writing) {
                continue;
            } else if (!reader.caller.stands().getAsBoolean()) {
                end(reader);
                continue;
            }
            String view;
            try {
                view = now.computeIfAbsent(reader.view, each -> api.view(each.filter(), reader.caller));
            } catch (ApiException e) {
                // Whoever reads hears what is wrong.
                view = e.error().word();
            }
            if (!view.equals(reader.seen)) {
                reader.seen = view;
                reader.event("changed");
            } else if (System.nanoTime() - reader.written > SIGN_OF_LIFE.toNanos()) {
                reader.write(": still here\n\n");
            }
        }
    }

    private void end(Reader reader) {
        readers.remove(reader);
        reader.response.write(true, ByteBuffer.allocate(0), reader.end);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watch);
        try {
            watch.join(SIGN_OF_LIFE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        readers.forEach(this::end);
    }
}
