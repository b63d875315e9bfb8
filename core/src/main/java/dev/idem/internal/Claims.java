package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims that the caller settles later, instead of claims around an action. The tickets are kept and renewed until
 * they are settled.
 */
public final class Claims {
    /** The unsettled tickets of an address. There is more than one where an earlier ticket has lapsed. */
    private final Map<Address, List<HeldTicket>> held = new ConcurrentHashMap<>();

    private final Engine engine;

    public Claims(Engine engine) {
        this.engine = engine;
    }

    /** Claims without waiting. Takes over an entry in doubt where the plan declares that running again is safe. */
    public Claim claim(Plan plan) {
        engine.requireOpen();
        Subject subject = Subject.of(plan, engine);
        engine.purging.start();
        Claim claim = claim(plan, subject, TakeOver.NONE);
        return claim instanceof Claim.InDoubt && plan.policy.safeToRerun()
                ? claim(plan, subject, TakeOver.RERUN)
                : claim;
    }

    private Claim claim(Plan plan, Subject subject, TakeOver takeOver) {
        engine.heartbeats.ready();
        ClaimStart sent = ClaimStart.now(engine);
        Claim claim = engine.resender.claim(new ClaimRequest(
                engine.settings.attemptIds().apply(sent.nanos()),
                subject.address(),
                subject.fingerprints(),
                Frame.parentIn(Frame.current(), engine),
                subject.labels(),
                engine.settings.owner(),
                plan.policy.lease(),
                plan.policy.timeLimit(),
                false,
                takeOver,
                Recovery.grace(plan.policy),
                plan.policy.onRepeat()));
        if (claim instanceof Claim.Granted granted) {
            if (takeOver != TakeOver.NONE) {
                engine.events.tookOver(granted.entry(), takeOver);
            }
            engine.events.granted(granted.entry());
            HeldTicket taken =
                    engine.heartbeats.hold(granted.ticket(), plan.policy.lease(), sent, plan.policy.timeLimit(), null);
            List<HeldTicket> open = held.merge(subject.address(), List.of(taken), Claims::joined);
            if (open != null && open.size() > 1) {
                Log.warn(
                        () -> subject.address()
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
            return engine.resender.settle(ticket, how);
        }
        mine.settling = true;
        if (how instanceof Settlement.Completed done) {
            mine.done = done;
        }
        Settled settled = engine.resender.settle(ticket, how);
        engine.heartbeats.release(mine);
        held.computeIfPresent(ticket.address(), (address, all) -> without(all, mine));
        if (settled instanceof Settled.Recorded recorded) {
            engine.events.settled(recorded.entry());
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
        return Subject.of(plan, engine).fingerprints();
    }

    public Result encode(@Nullable Object value) {
        return engine.settings.codecs().encode(value, Object.class);
    }

    public @Nullable Object decode(Payload payload, Type type) throws Exception {
        return engine.settings.codecs().decode(payload, type);
    }
}
