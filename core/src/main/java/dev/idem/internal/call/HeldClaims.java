package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.internal.runtime.Log;
import dev.idem.spi.Claim;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims that the caller settles later, instead of claims around an action. The tickets are kept and renewed until
 * they are settled. Their plans are not staged, since such a caller writes no marks.
 */
public final class HeldClaims {
    /** The unsettled tickets of an address. There is more than one where an earlier ticket has lapsed. */
    private final Map<Address, List<HeldTicket>> held = new ConcurrentHashMap<>();

    private final Gate gate;
    private final Upkeep upkeep;
    private final ClaimSender sender;
    private final Heartbeats heartbeats;
    private final Resender resender;
    private final Events events;
    private final boolean keepsDetails;

    HeldClaims(
            Gate gate,
            Upkeep upkeep,
            ClaimSender sender,
            Heartbeats heartbeats,
            Resender resender,
            Events events,
            boolean keepsDetails) {
        this.gate = gate;
        this.upkeep = upkeep;
        this.sender = sender;
        this.heartbeats = heartbeats;
        this.resender = resender;
        this.events = events;
        this.keepsDetails = keepsDetails;
    }

    /** Claims without waiting. Takes over an entry in doubt where the plan declares that running again is safe. */
    public Claim claim(Plan plan) {
        gate.requireOpen();
        Subject subject = Subject.of(plan, keepsDetails);
        upkeep.start();
        Admitted call = new Admitted(plan, subject, Frame.parentIn(Frame.current(), gate.engine));
        Claim claim = claim(call, TakeOver.NONE);
        return claim instanceof Claim.InDoubt && plan.policy().safeToRerun() ? claim(call, TakeOver.RERUN) : claim;
    }

    private Claim claim(Admitted call, TakeOver takeOver) {
        ClaimStart sent = sender.start();
        Claim claim = sender.send(
                sent, call, call.subject().labels(), takeOver, call.policy().onRepeat());
        if (claim instanceof Claim.Granted granted) {
            if (takeOver != TakeOver.NONE) {
                events.tookOver(granted.entry(), takeOver);
            }
            events.granted(granted.entry());
            HeldTicket taken = heartbeats.hold(
                    granted.ticket(), call.policy().lease(), sent, call.policy().timeLimit(), null);
            List<HeldTicket> open = held.merge(call.address(), List.of(taken), HeldClaims::joined);
            if (open != null && open.size() > 1) {
                Log.warn(
                        () -> call.address()
                                + " was taken again while an earlier ticket of this store is open; settle "
                                + "it with the Ticket that this call returns, since by its id it is refused",
                        null);
            }
        }
        return claim;
    }

    private static List<HeldTicket> joined(List<HeldTicket> before, List<HeldTicket> more) {
        return Stream.concat(before.stream(), more.stream()).toList();
    }

    /**
     * The ticket this object holds for an address, or null.
     *
     * @throws IllegalStateException if it was granted again before the first ticket was settled: the caller may hold
     *     either ticket, and must not settle the other
     */
    public @Nullable Ticket held(Address address) {
        List<HeldTicket> all = held.getOrDefault(address, List.of());
        if (all.size() > 1) {
            throw new IllegalStateException(
                    address + " was taken again here after an earlier ticket had lapsed, and an "
                            + "id does not say which of the two is meant. Settle it with the Ticket that markInProgress gave");
        }
        return all.isEmpty() ? null : all.get(0).ticket;
    }

    /** Settles a ticket that is held. It is kept and renewed when the ledger gives no answer, to be settled later. */
    public Settled settle(Ticket ticket, Settlement how) {
        HeldTicket mine = open(ticket);
        if (mine == null) {
            return resender.settle(ticket, how);
        }
        mine.settling = true;
        if (how instanceof Settlement.Completed done) {
            mine.done = done;
        }
        Settled settled = resender.settle(ticket, how);
        heartbeats.release(mine);
        held.computeIfPresent(ticket.address(), (address, all) -> without(all, mine));
        if (settled instanceof Settled.Recorded recorded) {
            events.settled(recorded.entry());
        }
        return settled;
    }

    /** A completion of this ticket that the ledger has not confirmed, or null. */
    public Settlement.@Nullable Completed unconfirmed(Ticket ticket) {
        HeldTicket mine = open(ticket);
        return mine == null ? null : mine.done;
    }

    private @Nullable HeldTicket open(Ticket ticket) {
        return held.getOrDefault(ticket.address(), List.of()).stream()
                .filter(one -> one.ticket.equals(ticket))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable List<HeldTicket> without(List<HeldTicket> all, HeldTicket one) {
        List<HeldTicket> left = all.stream().filter(other -> !other.equals(one)).toList();
        return left.isEmpty() ? null : left;
    }

    /**
     * Whether an exception proves that the work of a claim did nothing. Exceptions of calls of Idem prove nothing about
     * the work that made them.
     */
    public static boolean nothingHappened(Throwable thrown, Policy policy) {
        Frame around = Frame.current();
        return Proof.isGivenBy(
                thrown,
                policy,
                one -> OutsideExceptions.OF_THIS_PROCESS.since(0, one) || (around != null && around.threwInside(one)));
    }

    /** The fingerprints that a claim by this plan would carry. */
    public Fingerprints fingerprints(Plan plan) {
        return Subject.of(plan, keepsDetails).fingerprints();
    }
}
