package dev.idem.internal.call;

import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A ticket that is being kept alive. */
public final class HeldTicket {
    private static final long NANOS_A_MILLI = 1_000_000;
    /** If the clocks differ by less, the machine has not slept. */
    private static final long LATE_MILLIS = 1_000;

    final Ticket ticket;
    final Duration lease;
    final long leaseNanos;
    final long limitAt;
    private final @Nullable Thread worker;
    private volatile long renewedAt;
    /** By the wall clock, in milliseconds: the monotonic clock stands still while the machine sleeps. */
    private volatile long renewedWall;

    volatile boolean lost;
    volatile boolean overran;
    volatile boolean released;
    /** Whether the holder settles this ticket soon after its action or probe has ended. */
    volatile boolean settlesItself;
    /** Set once the owner settles: from then on a refused renewal proves nothing, and the settle shows a loss. */
    volatile boolean settling;

    /** The completion that the owner has told: from then on the work can't be called failed. */
    volatile Settlement.@Nullable Completed done;

    long nextAt;
    /** Whether the loss was announced. Used by the heartbeat thread only. */
    boolean toldLost;

    private boolean ended;
    private boolean interrupted;

    /** Whether it is renewed no more: it was lost or released, or its time limit is over. */
    public boolean isOver() {
        return lost || overran || released;
    }

    HeldTicket(Ticket ticket, Duration lease, ClaimStart sent, Duration timeLimit, @Nullable Thread worker) {
        this.ticket = ticket;
        this.lease = lease;
        this.leaseNanos = lease.toNanos();
        this.limitAt = sent.nanos() + timeLimit.toNanos();
        this.worker = worker;
        this.renewedAt = sent.nanos();
        this.renewedWall = sent.wall();
        this.nextAt = sent.nanos() + leaseNanos / 3;
    }

    public Ticket ticket() {
        return ticket;
    }

    /** Whether the lease is still alive by both clocks of this process. */
    boolean trusted(long now, long wall) {
        return !lost && now - renewedAt < leaseNanos && wall - renewedWall < leaseNanos / NANOS_A_MILLI;
    }

    /** Whether it is time for a heartbeat. */
    boolean due(long now, long wall) {
        return now - nextAt >= 0 || wall - renewedWall >= leaseNanos / NANOS_A_MILLI / 3 + LATE_MILLIS;
    }

    void renewed(long now, long wall) {
        renewedAt = now;
        renewedWall = wall;
    }

    /** Interrupts the action, if it asked for that and still runs. */
    synchronized void stop() {
        if (worker != null && !ended) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** Ends the action. An interrupt for it must not reach later work of its thread. */
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
