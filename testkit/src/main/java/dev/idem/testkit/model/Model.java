package dev.idem.testkit.model;

import dev.idem.Address;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Failure;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes.Life;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A second implementation of the rules, written from the description of the state machine and not from its code, for
 * one thread and with mutable rows. Answers are words, so that it needs nothing of the code under test.
 *
 * <p>A ledger chooses its fences freely as long as they grow; the model receives the chosen one.
 */
final class Model {
    private final SettableClocks clocks;
    private final SettableProcesses processes;
    private final Map<Address, Row> rows = new HashMap<>();
    private final Map<Address, Long> highest = new HashMap<>();

    Model(SettableClocks clocks, SettableProcesses processes) {
        this.clocks = clocks;
        this.processes = processes;
    }

    /** One entry, as it was last written. */
    private static final class Row {
        State state = State.IN_PROGRESS;
        long fence;
        int attempt = 1;

        @Nullable
        String identity;

        AttemptId attemptId;
        Owner owner;
        Moment lease;
        Moment limit;
        long acted;
        boolean staged;
        List<Mark> marks = new ArrayList<>();
        boolean doubted;

        @Nullable
        Settlement settlement;

        Instant created;
        Instant claimed;

        @Nullable
        Instant settled;

        @Nullable
        Instant expires;

        boolean stripped;

        Row(ClaimRequest request, Moment now) {
            attemptId = request.attemptId();
            owner = request.owner();
            identity = request.fingerprints().identity();
            lease = now.plus(request.lease());
            limit = now.plus(request.timeLimit());
            staged = request.staged();
            created = now.wall();
            claimed = now.wall();
        }
    }

    /** The word for a claim's answer. */
    String claim(ClaimRequest request, long fence) {
        Row row = rows.get(request.address());
        State seen = row == null ? null : stateOf(row);
        if (row == null || seen == null) {
            return grant(request, new Row(request, now()), fence);
        } else if (seen == State.EXPIRED) {
            return "Expired";
        } else if (row.state == State.IN_PROGRESS && row.attemptId.equals(request.attemptId())) {
            row.lease = now().plus(request.lease());
            return "Granted";
        }
        String other = request.fingerprints().identity();
        if (row.identity != null && other != null && !row.identity.equals(other)) {
            return "Conflict";
        }
        boolean itself = row.state != State.IN_PROGRESS && row.attemptId.equals(request.attemptId());
        return switch (seen) {
            case COMPLETE -> request.repeat() == Repeat.RUN && !itself ? anew(request, row, fence) : "Replay";
            case IN_PROGRESS -> "InFlight for " + left(row.lease);
            case FAILED -> itself || failureKept(row) ? "ReplayedFailure" : again(request, row, fence);
            default ->
                childLives(row)
                        ? "InFlight for " + Duration.ZERO
                        : doubted(itself ? request.withTakeOver(TakeOver.NONE) : request, row, fence);
        };
    }

    private String anew(ClaimRequest request, Row old, long fence) {
        Row row = new Row(request, now());
        row.identity = row.identity == null ? old.identity : row.identity;
        return grant(request, row, fence);
    }

    private String again(ClaimRequest request, Row old, long fence) {
        Row row = new Row(request, now());
        row.created = old.created;
        row.attempt = old.attempt + 1;
        row.identity = row.identity == null ? old.identity : row.identity;
        return grant(request, row, fence);
    }

    private String doubted(ClaimRequest request, Row old, long fence) {
        Row row = new Row(request, now());
        row.created = old.created;
        row.doubted = true;
        row.marks.addAll(old.marks);
        if (request.takeOver() == TakeOver.RERUN) {
            row.attempt = old.attempt + 1;
            row.identity = row.identity == null ? old.identity : row.identity;
            row.limit = left(old.limit).compareTo(left(row.limit)) > 0 ? old.limit : row.limit;
            return grant(request, row, fence);
        }
        Duration probeIn = left(old.limit.plus(request.grace()));
        if (request.takeOver() == TakeOver.PROBE && probeIn.isZero()) {
            row.attempt = old.attempt;
            row.identity = old.identity == null ? row.identity : old.identity;
            row.limit = old.limit;
            row.staged = old.staged;
            String answer = grant(request, row, fence);
            row.acted = old.acted;
            return answer;
        }
        return "InDoubt, probe in " + probeIn;
    }

    private String grant(ClaimRequest request, Row row, long fence) {
        row.fence = raised(request.address(), fence);
        row.acted = fence;
        rows.put(request.address(), row);
        return "Granted";
    }

    private long raised(Address address, long fence) {
        long before = highest.getOrDefault(address, 0L);
        if (fence <= before) {
            throw new AssertionError("the fence of " + address + " went from " + before + " to " + fence);
        }
        highest.put(address, fence);
        return fence;
    }

    boolean renew(Ticket ticket, Duration lease) {
        Row row = held(ticket);
        if (row != null) {
            row.lease = now().plus(lease);
        }
        return row != null;
    }

    boolean mark(Ticket ticket, Mark mark) {
        Row row = held(ticket);
        return row != null && row.staged && row.acted == row.fence && row.marks.add(mark);
    }

    private @Nullable Row held(Ticket ticket) {
        Row row = rows.get(ticket.address());
        return row != null && row.state == State.IN_PROGRESS && row.fence == fence(ticket) ? row : null;
    }

    /** The word for a settle's answer; null if the ledger may or may not have removed the expired entry. */
    @Nullable
    String settle(Ticket ticket, Settlement how) {
        Row row = rows.get(ticket.address());
        if (row == null) {
            return "Stale";
        }
        boolean open = row.state == State.IN_PROGRESS || row.state == State.IN_DOUBT;
        if (open && row.acted == fence(ticket) && how instanceof Settlement.Completed) {
            end(row, how);
            return "Recorded";
        } else if (row.fence != fence(ticket) && (row.acted != fence(ticket) || row.state != State.COMPLETE)) {
            return "Stale";
        } else if (row.state != State.IN_PROGRESS) {
            State seen = stateOf(row);
            return seen == null || seen == State.EXPIRED ? null : "Already";
        }
        end(row, how);
        return "Recorded";
    }

    private void end(Row row, Settlement how) {
        row.lease = now();
        row.settled = row.lease.wall();
        row.settlement = how;
        if (how instanceof Settlement.Completed completed) {
            close(row, State.COMPLETE, completed.retention());
        } else if (how instanceof Settlement.NotExecuted notExecuted && (!row.doubted || row.acted != row.fence)) {
            row.acted = row.fence;
            close(row, State.FAILED, notExecuted.retention());
        } else if (how instanceof Settlement.Failed failed && !row.doubted) {
            close(row, State.FAILED, failed.retention());
        } else {
            row.state = State.IN_DOUBT;
            row.doubted = true;
            row.settlement = doubtful(how);
        }
    }

    private static Settlement doubtful(Settlement how) {
        if (how instanceof Settlement.Failed failed) {
            return new Settlement.Doubtful(failed.failure());
        }
        return how instanceof Settlement.NotExecuted verdict
                ? new Settlement.Doubtful(new Failure("not_executed", verdict.evidence()))
                : how;
    }

    private static void close(Row row, State state, Retention retention) {
        row.state = state;
        row.doubted = false;
        row.expires = row.settled == null ? null : row.settled.plus(retention.keep());
    }

    boolean mayResolve(Address address, long seen, Settlement how) {
        Row row = rows.get(address);
        State state = row == null ? null : stateOf(row);
        boolean nothing = how instanceof Settlement.Failed || how instanceof Settlement.NotExecuted;
        return row != null && row.fence == seen && (state == State.IN_DOUBT || (state == State.FAILED && !nothing));
    }

    void resolve(Address address, Settlement how, long fence) {
        Row row = rows.get(address);
        if (row == null) {
            throw new AssertionError("there is nothing to resolve at " + address);
        }
        row.fence = raised(address, fence);
        row.acted = fence;
        row.doubted = false;
        row.expires = null;
        end(row, how);
    }

    boolean forget(Address address, long seen, State seenAs) {
        Row row = rows.get(address);
        State state = row == null ? null : stateOf(row);
        if (row == null || row.fence != seen || state == null || state == State.IN_PROGRESS) {
            return false;
        }
        // A caller that saw neither a completion nor its tombstone does not know that it happened; a caller that saw a
        // failure does not know of the doubt.
        boolean happened = row.state == State.COMPLETE && seenAs != State.COMPLETE && seenAs != State.EXPIRED;
        boolean unawares = happened || (state == State.IN_DOUBT && seenAs == State.FAILED);
        return !unawares && rows.remove(address) != null;
    }

    /** The number of entries that a purge without limit removes or reduces to tombstones. */
    int purge() {
        int before = rows.size();
        rows.values().removeIf(row -> stateOf(row) == null);
        int stripped = 0;
        for (Row row : rows.values()) {
            if (stateOf(row) == State.EXPIRED && !row.stripped) {
                row.stripped = true;
                stripped++;
            }
        }
        return before - rows.size() + stripped;
    }

    /** The visible state of an entry now; null if there is none. */
    @Nullable
    Picture find(Address address) {
        Row row = rows.get(address);
        State seen = row == null ? null : stateOf(row);
        if (row == null || seen == null) {
            return null;
        }
        return new Picture(
                seen,
                row.fence,
                row.attempt,
                row.identity,
                row.attemptId,
                row.owner.name(),
                row.lease.wall(),
                row.limit.wall(),
                row.acted,
                row.staged,
                List.copyOf(row.marks),
                row.doubted || seen == State.IN_DOUBT,
                seen == State.EXPIRED ? null : row.settlement,
                row.created,
                row.claimed,
                row.settled,
                row.expires);
    }

    /** The effective state of an entry; null if there is none. */
    private @Nullable State stateOf(Row row) {
        if (row.state == State.IN_PROGRESS && !alive(row)) {
            boolean harmless = row.staged && row.marks.isEmpty() && !row.doubted;
            return harmless ? State.FAILED : State.IN_DOUBT;
        }
        Instant wall = keptForLong(row.settlement) ? trustedWall(row.lease) : now().wall();
        if (row.expires == null || wall.isBefore(row.expires)) {
            return row.stripped ? State.EXPIRED : row.state;
        }
        return wall.isBefore(row.expires.plus(tombstone(row.settlement))) ? State.EXPIRED : null;
    }

    private boolean alive(Row row) {
        boolean leased = !left(row.lease).isZero();
        if (leased && (row.owner.process() == null || processes.of(row.owner.process()) != Life.DEAD)) {
            return true;
        }
        return childLives(row);
    }

    private boolean childLives(Row row) {
        ProcessRef child = null;
        for (Mark mark : row.marks) {
            child = mark.child() == null ? child : mark.child();
        }
        return child != null && processes.of(child) == Life.ALIVE;
    }

    private static boolean failureKept(Row row) {
        return row.settlement instanceof Settlement.Failed failed && failed.kept();
    }

    private static Duration tombstone(@Nullable Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            return completed.retention().tombstone();
        } else if (how instanceof Settlement.Failed failed) {
            return failed.retention().tombstone();
        }
        return how instanceof Settlement.NotExecuted notExecuted
                ? notExecuted.retention().tombstone()
                : Duration.ZERO;
    }

    private Duration left(Moment end) {
        Moment now = now();
        Duration left = !end.boot().isEmpty() && end.boot().equals(now.boot())
                ? Duration.ofNanos(end.nanos() - now.nanos())
                : Duration.between(now.wall(), end.wall());
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static boolean keptForLong(@Nullable Settlement how) {
        Duration keep = how instanceof Settlement.Completed completed
                ? completed.retention().keep()
                : how instanceof Settlement.Failed failed
                        ? failed.retention().keep()
                        : how instanceof Settlement.NotExecuted nothing
                                ? nothing.retention().keep()
                                : Duration.ZERO;
        return keep.compareTo(Duration.ofDays(1)) >= 0;
    }

    /** The earlier of the wall time and the wall time without the clock steps since then in this boot. */
    private Instant trustedWall(Moment then) {
        Moment now = now();
        if (then.boot().isEmpty() || !then.boot().equals(now.boot())) {
            return now.wall();
        }
        Instant counted = then.wall().plusNanos(now.nanos() - then.nanos());
        return counted.isBefore(now.wall()) ? counted : now.wall();
    }

    private Moment now() {
        return clocks.now();
    }

    private static long fence(Ticket ticket) {
        return ticket.fence().number();
    }
}
