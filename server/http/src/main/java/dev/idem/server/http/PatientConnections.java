package dev.idem.server.http;

import dev.idem.server.Budget;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Gives each connection some time from its opening, or its last answer, to the end of the next request's header. Jetty's own limit counts from the
 * last byte, so a header that comes byte by byte would hold its connection for ever. Where there are too many connections,
 * or too many of one client, the client's longest silent one is closed for a new one. All who have shown no token are one
 * client.
 */
final class PatientConnections extends Handler.Wrapper implements Connection.Listener {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final String STRANGERS = "those without a token";

    private final Duration patience;
    private final Budget places;
    private final Map<EndPoint, Held> all = new ConcurrentHashMap<>();
    /** Those who were silent longest are first. */
    private final Map<String, Set<Held>> byClient = new HashMap<>();

    PatientConnections(Duration patience, Budget places) {
        this.patience = patience;
        this.places = places;
    }

    /** A connection, with the encryption below it. Written with the lock of all, which a request takes only where something changes. */
    private static final class Held {
        private final EndPoint end;
        private volatile String client = STRANGERS;
        private volatile Budget.@Nullable Place place;
        private volatile boolean waits = true;
        private long since = System.nanoTime();

        Held(EndPoint end) {
            this.end = end;
        }

        boolean isOf(String name) {
            return place != null && client.equals(name);
        }
    }

    private static EndPoint base(EndPoint end) {
        return end instanceof EndPoint.Wrapper wrapper ? base(wrapper.unwrap()) : end;
    }

    @Override
    public void onOpened(Connection connection) {
        EndPoint end = base(connection.getEndPoint());
        synchronized (this) {
            // The encryption, and what is encrypted, are opened both.
            if (all.containsKey(end)) {
                return;
            }
            Held held = new Held(end);
            all.put(end, held);
            if (!isPlaced(held, STRANGERS)) {
                close(held);
            }
        }
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        Held held = all.get(base(connection.getEndPoint()));
        if (held != null) {
            forget(held);
        }
    }

    private void forget(Held held) {
        all.remove(held.end);
        leave(held);
    }

    private void leave(Held held) {
        byClient.computeIfPresent(held.client, (same, those) -> {
            those.remove(held);
            return those.isEmpty() ? null : those;
        });
        if (held.place != null) {
            held.place.close();
            held.place = null;
        }
    }

    private void close(Held held) {
        forget(held);
        held.end.close();
    }

    /** Gives a connection a place of this client, or that of another connection. */
    private boolean isPlaced(Held held, String client) {
        held.client = client;
        held.place = places.take(client);
        while (held.place == null) {
            Held silent = longestSilent(client);
            if (silent == null) {
                return false;
            }
            close(silent);
            held.place = places.take(client);
        }
        byClient.computeIfAbsent(client, first -> new LinkedHashSet<>()).add(held);
        return true;
    }

    /** One of this client; else of anybody. A stranger who does not wait is only being refused. */
    private @Nullable Held longestSilent(String client) {
        Iterator<Held> own = byClient.getOrDefault(client, Set.of()).stream()
                .filter(each -> each.waits || client.equals(STRANGERS))
                .iterator();
        if (own.hasNext()) {
            return own.next();
        }
        // Where its own share is full, no place of another helps.
        return !places.hasShare(client)
                ? null
                : byClient.values().stream()
                        .flatMap(Set::stream)
                        .filter(each -> each.waits)
                        .findFirst()
                        .orElse(null);
    }

    /** The connection of a request is this client's; throws {@link dev.idem.server.ApiException} if it has too many. */
    void belongsTo(Request request, @Nullable String client) {
        Held held = held(request);
        if (held != null && client != null && !held.isOf(client)) {
            move(held, client);
        }
    }

    private synchronized void move(Held held, String client) {
        if (all.get(held.end) != held) {
            // It was closed meanwhile, and what it took now would never be given back.
            return;
        }
        leave(held);
        if (!isPlaced(held, client)) {
            throw places.busy();
        }
    }

    private @Nullable Held held(Request request) {
        return all.get(base(request.getConnectionMetaData().getConnection().getEndPoint()));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Held held = held(request);
        if (held != null) {
            held.waits = false;
        }
        Request.addCompletionListener(request, failure -> waitsAgain(request));
        return super.handle(request, response, callback);
    }

    private synchronized void waitsAgain(Request request) {
        Held held = held(request);
        if (held != null && (held.place == null || !held.end.isOpen())) {
            close(held);
        } else if (held != null) {
            held.waits = true;
            held.since = System.nanoTime();
            Set<Held> those = byClient.getOrDefault(held.client, new LinkedHashSet<>());
            those.remove(held);
            those.add(held);
        }
    }

    /** Looks at all connections from time to time, also after a look that failed, as it does without memory. */
    void look(Scheduler scheduler) {
        try {
            endSlow();
        } finally {
            scheduler.schedule(() -> look(scheduler), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void endSlow() {
        long now = System.nanoTime();
        List.copyOf(all.values()).stream()
                .filter(each -> each.waits && now - each.since > patience.toNanos())
                .forEach(this::close);
    }
}
