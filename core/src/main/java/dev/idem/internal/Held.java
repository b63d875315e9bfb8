package dev.idem.internal;

import dev.idem.entry.Ticket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A ticket that is being kept alive. */
public final class Held {
    final Ticket ticket;
    final Duration lease;
    final long leaseNanos;
    final long limitAt;
    private final @Nullable Thread worker;
    volatile long renewedAt;
    volatile boolean lost;
    volatile boolean overran;
    /** Once its owner settles it, a refused renewal says nothing: the settle itself will tell. */
    volatile boolean settling;

    long nextAt;
    /** Of the heartbeat thread: whether the loss has been announced. */
    boolean toldLost;

    private boolean ended;
    private boolean interrupted;

    Held(Ticket ticket, Duration lease, long sentAt, long limitAt, @Nullable Thread worker) {
        this.ticket = ticket;
        this.lease = lease;
        this.leaseNanos = lease.toNanos();
        this.limitAt = limitAt;
        this.worker = worker;
        this.renewedAt = sentAt;
        this.nextAt = sentAt + leaseNanos / 3;
    }

    public Ticket ticket() {
        return ticket;
    }

    /** Whether the ticket may still be believed in, by what this process knows. */
    boolean trusted(long now) {
        return !lost && now - renewedAt < leaseNanos;
    }

    /** Interrupts the action, if it asked for that and still runs. */
    synchronized void stop() {
        if (worker != null && !ended) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** The action has ended. An interrupt that was meant for it must not reach what its thread does next. */
    void actionEnded() {
        if (worker == null) {
            return;
        }
        synchronized (this) {
            ended = true;
            if (interrupted) {
                Thread.interrupted();
            }
        }
    }

    @Override
    public int hashCode() {
        return Long.hashCode(ticket.fence().number());
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
