package dev.idem.internal;

import dev.idem.entry.Address;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Settled;
import dev.idem.ledger.TakeOver;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims that are held from one statement to another instead of around an action. The tickets are kept and renewed
 * until they are settled.
 */
public final class Claims {
    private final Map<Address, Taken> held = new ConcurrentHashMap<>();
    private final Engine engine;

    public Claims(Engine engine) {
        this.engine = engine;
    }

    /** Claims without waiting; what is in doubt is taken over where the plan declares that to be safe. */
    public Claim claim(Plan plan) {
        engine.requireOpen();
        Subject subject = Subject.of(plan, engine.names);
        engine.purging.start();
        Claim claim = claim(plan, subject, TakeOver.NONE);
        return claim instanceof Claim.InDoubt && plan.policy.safeToRerun()
                ? claim(plan, subject, TakeOver.RERUN)
                : claim;
    }

    private Claim claim(Plan plan, Subject subject, TakeOver takeOver) {
        engine.heartbeats.ready();
        Sent sent = Sent.now(engine);
        Claim claim = engine.resender.claim(new ClaimRequest(
                engine.settings.attemptIds().apply(sent.nanos()),
                subject.address(),
                subject.fingerprints(),
                Frame.parentIn(Frame.current(), engine),
                plan.labels,
                engine.settings.owner(),
                plan.policy.lease,
                plan.policy.timeLimit,
                false,
                takeOver,
                plan.policy.grace));
        if (claim instanceof Claim.Granted granted) {
            if (takeOver != TakeOver.NONE) {
                engine.events.tookOver(granted.entry(), takeOver);
            }
            engine.events.granted(granted.entry());
            Held taken = engine.heartbeats.hold(granted.ticket(), plan.policy.lease, sent, plan.policy.timeLimit, null);
            held.merge(subject.address(), new Taken(taken), Taken::after);
        }
        return claim;
    }

    /**
     * The ticket this object holds for an address, or null.
     *
     * @throws IllegalStateException when it was granted twice and this thread is not the one that took it last: then
     *     whoever took it first may be asking, and must not speak for the other
     */
    public @Nullable Ticket held(Address address) {
        Taken one = held.get(address);
        if (one == null) {
            return null;
        }
        if (one.again && Thread.currentThread() != one.taker) {
            throw new IllegalStateException(address + " was taken twice here, the second time after the first had "
                    + "lapsed, and an id does not say which of the two is meant. Settle it with its ticket");
        }
        return one.held.ticket;
    }

    /** Settles a ticket that is held. It is kept and renewed when the ledger gives no answer, to be settled later. */
    public Settled settle(Ticket ticket, Settlement how) {
        Taken one = held.get(ticket.address());
        if (one == null || !one.held.ticket.equals(ticket)) {
            return engine.resender.settle(ticket, how);
        }
        one.held.settling = true;
        Settled settled = engine.resender.settle(ticket, how);
        engine.heartbeats.release(one.held);
        held.remove(ticket.address(), one);
        if (settled instanceof Settled.Recorded recorded) {
            engine.events.settled(recorded.entry());
        }
        return settled;
    }

    /** A ticket, who took it, and whether it took the place of one that was never settled. */
    private record Taken(Held held, Thread taker, boolean again) {
        Taken(Held held) {
            this(held, Thread.currentThread(), false);
        }

        static Taken after(Taken before, Taken now) {
            return new Taken(now.held, now.taker, true);
        }
    }

    public Result encode(@Nullable Object value) {
        return engine.settings.codecs().encode(value, Object.class);
    }

    public @Nullable Object decode(Payload payload, Type type) throws Exception {
        return engine.settings.codecs().decode(payload, type);
    }
}
