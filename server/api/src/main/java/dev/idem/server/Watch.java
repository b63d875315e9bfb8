package dev.idem.server;

import dev.idem.spi.LedgerUrl;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells readers that what they look at has changed, as server-sent events: {@code GET /v1/events?filter=…} with the members
 * of {@code browse}. An event is a hint to read again, and nothing more. The ledger is asked only while somebody listens,
 * once for all who have the same filter and rights, and the less often the longer it takes.
 */
public final class Watch implements AutoCloseable {
    /** The media type of a stream. */
    public static final String MEDIA = "text/event-stream";

    private static final System.Logger LOG = System.getLogger(Watch.class.getName());
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(15);
    private static final int SHARE = 20;
    /** What a reader may cost: its connection, and what is written to it. */
    private static final int READER = 128 * 1024;

    private static final long MOST_READERS = Budget.ofHeap(READER, 500);
    private static final int LONGEST_FILTER = 4096;

    private final Api api;
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private final Budget places = new Budget("streams of events", MOST_READERS, MOST_READERS / 4);
    private final Thread thread = new Thread(this::watch, "idem-events");
    private volatile boolean closed;

    /** Watches the ledger of this API. */
    public Watch(Api api) {
        this.api = api;
        thread.setDaemon(true);
        thread.start();
    }

    /** A response that stays open. Used by one thread at a time. */
    public interface Stream {
        /** Begins to send a text, and holds up nobody. */
        void send(String text, Sent sent);

        /** Ends the response. */
        void end();
    }

    /** What became of a text. */
    public interface Sent {
        /** It is sent, so that the next one can be. */
        void done();

        /** The reader is gone. */
        void failed();
    }

    /** A filter and the rights of a reader: who has the same sees the same. */
    private record View(String filter, Object access) {}

    /** Somebody who listens. Written by the watching thread alone, one write at a time. */
    private static final class Reader implements Sent {
        private final Caller caller;
        private final View view;
        private final Stream stream;
        private final Budget.Place place;
        private volatile boolean sending;
        private volatile boolean gone;
        private @Nullable String seen;
        private long number;
        private long sent;

        Reader(Caller caller, View view, Stream stream, Budget.Place place, String seen) {
            this.caller = caller;
            this.view = view;
            this.stream = stream;
            this.place = place;
            this.seen = seen;
        }

        void event(String name) {
            number++;
            send("id: " + number + "\nevent: " + name + "\ndata: {}\n\n");
        }

        void send(String text) {
            sending = true;
            sent = System.nanoTime();
            stream.send(text, this);
        }

        @Override
        public void done() {
            sending = false;
        }

        @Override
        public void failed() {
            gone = true;
            place.close();
        }
    }

    /**
     * Adds a reader, after a look at its filter and its rights.
     *
     * @param filter null for everything that the caller may see
     * @param again whether the reader has listened before, and may have missed something
     * @param response begins the response, which is an error where this throws {@link ApiException}
     */
    public void listen(Caller caller, @Nullable String filter, boolean again, Supplier<Stream> response) {
        String asked = filter == null ? "{}" : filter;
        if (asked.length() > LONGEST_FILTER) {
            throw new ApiException(ApiError.TOO_LARGE, "a filter has at most " + LONGEST_FILTER + " characters");
        }
        Budget.Place place = places.require(caller.client());
        Reader reader;
        try {
            String seen = api.view(asked, caller);
            reader = new Reader(caller, new View(asked, caller.access()), response.get(), place, seen);
        } catch (RuntimeException | Error e) {
            place.close();
            throw e;
        }
        if (again) {
            reader.event("reload");
        } else {
            reader.send(": listening\n\n");
        }
        readers.add(reader);
        LockSupport.unpark(thread);
        if (closed) {
            end(reader);
        }
    }

    /** The filter in the query of a URL; null where there is none. */
    public static @Nullable String filter(@Nullable String query) {
        for (String each : query == null ? new String[0] : query.split("&", -1)) {
            if (each.startsWith("filter=")) {
                try {
                    return LedgerUrl.decoded(
                            each.substring(each.indexOf('=') + 1).replace('+', ' '));
                } catch (IllegalArgumentException e) {
                    throw ApiException.malformed("'filter' in the URL: " + e.getMessage());
                }
            }
        }
        return null;
    }

    private void watch() {
        long next = System.nanoTime();
        while (!closed) {
            if (readers.isEmpty()) {
                LockSupport.park(this);
                continue;
            }
            long begin = System.nanoTime();
            look(begin - next >= 0);
            if (begin - next >= 0) {
                next = System.nanoTime() + SHARE * (System.nanoTime() - begin);
            }
            LockSupport.parkNanos(this, LOOK_EVERY.toNanos());
        }
    }

    /** Tells all who are there that it goes on, and what has changed where the ledger may be asked again. */
    private void look(boolean asks) {
        readers.removeIf(reader -> reader.gone);
        Map<View, String> now = new HashMap<>();
        for (Reader reader : readers) {
            if (reader.sending) {
                continue;
            } else if (!reader.caller.stands().getAsBoolean()) {
                end(reader);
                continue;
            }
            if (asks && tellsChange(reader, now)) {
                continue;
            }
            if (System.nanoTime() - reader.sent > SIGN_OF_LIFE.toNanos()) {
                // Only what is sent shows that a reader is gone.
                reader.send(": still here\n\n");
            }
        }
    }

    private boolean tellsChange(Reader reader, Map<View, String> now) {
        String view;
        try {
            view = now.computeIfAbsent(reader.view, each -> api.view(each.filter(), reader.caller));
        } catch (ApiException e) {
            // The next request of a reader tells what is wrong.
            view = e.error().word();
        } catch (RuntimeException e) {
            // The other readers have views of their own, and all of them have this thread.
            view = ApiError.INTERNAL.word();
            if (!view.equals(reader.seen)) {
                LOG.log(System.Logger.Level.WARNING, "a look for a reader of events failed", e);
            }
        }
        if (view.equals(reader.seen)) {
            return false;
        }
        reader.seen = view;
        reader.event("changed");
        return true;
    }

    private void end(Reader reader) {
        // A response whose reader is gone has ended by itself, and must not be touched any more.
        if (readers.remove(reader) && !reader.gone) {
            reader.place.close();
            reader.stream.end();
        }
    }

    /** How many listen. */
    public int readers() {
        return readers.size();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        readers.forEach(this::end);
    }
}
