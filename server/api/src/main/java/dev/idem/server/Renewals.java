package dev.idem.server;

import dev.idem.internal.call.HeldTicket;
import dev.idem.internal.call.ServedClaims;
import dev.idem.spi.Host;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Renews the tickets of clients until their limit, while it sees the client's process alive and its token stands. Where
 * the process can't be seen, a connection may stand for it.
 */
final class Renewals implements AutoCloseable {
    private static final long LOOK_EVERY = Duration.ofMillis(500).toNanos();

    private static final System.Logger LOG = System.getLogger(Renewals.class.getName());

    private final Map<Ticket, Held> held = new ConcurrentHashMap<>();
    private final ServedClaims claims;
    private final Host host;
    private final Thread watch = new Thread(this::watch, "idem-serve-watch");
    private volatile boolean closed;

    Renewals(ServedClaims claims, Host host) {
        this.claims = claims;
        this.host = host;
        watch.setDaemon(true);
        watch.start();
    }

    private record Held(HeldTicket held, @Nullable ProcessRef process, Caller caller) {}

    /** Renews a ticket, unless it does so already. See {@link ServedClaims#hold}. */
    void hold(TicketText ticket, long since, Duration left, Caller caller) {
        if (left.isNegative() || left.isZero() || !lives(ticket.owner(), caller)) {
            return;
        }
        held.compute(
                ticket.ticket(),
                (same, before) -> before != null && !before.held.isOver()
                        ? new Held(before.held, ticket.owner(), caller)
                        : new Held(claims.hold(same, ticket.lease(), since, left), ticket.owner(), caller));
    }

    void release(Ticket ticket) {
        Held one = held.remove(ticket);
        if (one != null) {
            claims.release(one.held);
        }
    }

    /** How many tickets are renewed. */
    int size() {
        return held.size();
    }

    private boolean lives(@Nullable ProcessRef process, Caller caller) {
        if (!caller.stands().getAsBoolean()) {
            return false;
        }
        boolean connected = caller.renewedWhileOpen() && caller.isOpen().getAsBoolean();
        if (process == null) {
            return connected;
        }
        return switch (host.of(process)) {
            case ALIVE -> true;
            case DEAD -> false;
            case UNKNOWN -> connected;
        };
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(this, LOOK_EVERY);
            try {
                held.forEach((ticket, one) -> {
                    if (one.held.isOver() || !lives(one.process, one.caller)) {
                        release(ticket);
                    }
                });
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "clients could not be looked at; the next look follows", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watch);
    }
}
