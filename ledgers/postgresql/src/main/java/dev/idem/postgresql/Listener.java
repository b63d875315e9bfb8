package dev.idem.postgresql;

import dev.idem.Address;
import dev.idem.Json;
import dev.idem.LedgerException;
import dev.idem.spi.Awaitable.Watch;
import dev.idem.spi.Watches;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wakes the waiters of this process when the server announces a change. It has a thread and a connection while a caller
 * waits, and a little longer. A failure here only delays a wake-up, because waiters also poll.
 */
final class Listener implements AutoCloseable {
    private static final int GLANCE_MILLIS = 20;
    private static final long SOON_NANOS = Duration.ofMillis(50).toNanos();
    private static final long IDLE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long ALIVE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(5).toNanos();
    private static final long FIRST_PAUSE = Duration.ofMillis(20).toNanos();
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Logger LOG = System.getLogger("dev.idem");

    private final Database database;
    private final Statements statements;
    private final String channel;
    private final Watches watches;
    private final Listening listening = new Listening();
    private final String name = UUID.randomUUID().toString();
    private final ConcurrentHashMap<Address, Integer> waitedFor = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Fresh> fresh = new ConcurrentLinkedQueue<>();

    /** A waiter that has just begun to wait. */
    private record Fresh(Address address, long since) {}

    Listener(Server server, Watches watches) {
        this.database = server.database();
        this.statements = server.statements();
        this.channel = Statements.channel(server.settings().schema());
        this.watches = watches;
    }

    /** Listens first, then registers the waiter, so that every later change is announced to it. */
    Watch watch(Address address, Runnable wake) {
        Watch local = watches.add(address, wake);
        waitedFor.merge(address, 1, Integer::sum);
        listening.start(this::run);
        quietly(() -> register(address));
        // A concurrent change may not have been announced: wake the waiter once more, soon.
        fresh.add(new Fresh(address, System.nanoTime()));
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                local.close();
                if (waitedFor.computeIfPresent(address, (at, count) -> count == 1 ? null : count - 1) == null) {
                    quietly(() -> deregister(address));
                }
            }
        };
    }

    private void register(Address address) {
        database.change(
                statements.get("wait"),
                parameters -> parameters.address(address).text(name).duration(KEPT));
    }

    private void deregister(Address address) {
        database.change(
                statements.get("wait-no-more"),
                parameters -> parameters.address(address).text(name));
    }

    private void run() {
        long pause = FIRST_PAUSE;
        boolean broken = false;
        while (listening.wanted()) {
            try (Connection connection = database.direct()) {
                boolean again = broken;
                Database.committing(connection, server -> listen(server, again));
                pause = FIRST_PAUSE;
            } catch (SQLException | RuntimeException e) {
                // Any exception of a caller's pool too: without this thread no waiter would be woken again.
                fresh.clear();
                LOG.log(Level.DEBUG, "no announcements from the ledger for a moment; waiters poll", e);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
            broken = true;
            listening.interrupted();
            if (listening.wanted()) {
                LockSupport.parkNanos(pause);
            }
        }
    }

    /** Listens until there was no waiter for a while, or the connection breaks. */
    private boolean listen(Connection connection, boolean broken) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements.get("wait-no-longer"));
            statement.execute("LISTEN " + channel);
            try {
                // After a reconnect: the server may have forgotten the waiters, and changes may have been missed.
                if (broken) {
                    waitedFor.keySet().forEach(this::register);
                    watches.wakeAll();
                }
                listening.established();
                hear(connection.unwrap(PGConnection.class), statement);
            } finally {
                statement.execute("UNLISTEN " + channel);
            }
            listening.endIf(waitedFor::isEmpty);
            return true;
        }
    }

    private void hear(PGConnection server, Statement statement) throws SQLException {
        long idleSince = System.nanoTime();
        long heard = idleSince;
        while (listening.wanted() && System.nanoTime() - idleSince < IDLE_NANOS) {
            PGNotification[] news = server.getNotifications(GLANCE_MILLIS);
            if (news != null && news.length > 0) {
                heard = System.nanoTime();
                for (PGNotification one : news) {
                    wake(one.getParameter());
                }
            } else if (System.nanoTime() - heard > ALIVE_NANOS) {
                statement.execute("SELECT 1");
                heard = System.nanoTime();
            }
            wakeTheFresh();
            idleSince = waitedFor.isEmpty() ? idleSince : System.nanoTime();
        }
    }

    private void wakeTheFresh() {
        for (Fresh next = fresh.peek();
                next != null && System.nanoTime() - next.since() > SOON_NANOS;
                next = fresh.peek()) {
            fresh.poll();
            watches.wake(next.address());
        }
    }

    private void wake(String payload) {
        try {
            List<?> parts = (List<?>) Objects.requireNonNull(Json.parse(payload));
            watches.wake(new Address((String) parts.get(0), (String) parts.get(1), (String) parts.get(2)));
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "an announcement that names no entry", e);
            watches.wakeAll();
        }
    }

    private static void quietly(Runnable step) {
        try {
            step.run();
        } catch (LedgerException e) {
            LOG.log(Level.DEBUG, "the ledger does not know this waiter, which polls instead", e);
        }
    }

    @Override
    public void close() {
        listening.close();
    }
}
