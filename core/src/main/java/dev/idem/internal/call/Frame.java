package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.SelfWaitException;
import dev.idem.spi.AmbientTransactions.Ambient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running operation of this thread, linked to the operations around it. */
final class Frame {
    private static final ThreadLocal<@Nullable Frame> CURRENT = new ThreadLocal<>();

    final Address address;
    private final EngineId engine;

    private final @Nullable Frame around;
    private @Nullable Set<Throwable> innerFailures;
    private volatile boolean alone;
    private volatile boolean left;
    /** The count of outside exceptions when this frame was entered. */
    private final long before;

    /** A transaction around this operation that its entry is not part of. */
    private final @Nullable Ambient apartFrom;

    private Frame(Address address, EngineId engine, @Nullable Ambient apartFrom, @Nullable Frame around) {
        this.address = address;
        this.engine = engine;
        this.apartFrom = apartFrom;
        this.around = around;
        this.before = OutsideExceptions.OF_THIS_PROCESS.count();
    }

    /** An engine, as frames tell it from others. */
    static final class EngineId {}

    static @Nullable Frame current() {
        return CURRENT.get();
    }

    /**
     * Enters an operation; to be left with {@link #leave()} in the same thread.
     *
     * @param apartFrom a transaction around the operation that its entry is not part of
     */
    static Frame enter(Address address, EngineId engine, @Nullable Ambient apartFrom) {
        Frame frame = new Frame(address, engine, apartFrom, CURRENT.get());
        CURRENT.set(frame);
        return frame;
    }

    void leave() {
        left = true;
        // Not remove(): the next get() would create a new entry.
        CURRENT.set(around);
    }

    /** Runs code of another thread as if it were inside this frame. */
    static void inside(@Nullable Frame frame, Runnable code) {
        Frame before = CURRENT.get();
        CURRENT.set(frame);
        try {
            code.run();
        } finally {
            CURRENT.set(before);
        }
    }

    /** The operation of this frame if it is one of the given engine, else null. */
    static @Nullable Address parentIn(@Nullable Frame frame, EngineId engine) {
        return frame == null || frame.engine != engine ? null : frame.address;
    }

    /** Whether this thread runs inside an operation of this engine. */
    static boolean inside(EngineId engine) {
        for (Frame frame = CURRENT.get(); frame != null; frame = frame.around) {
            if (!frame.left && frame.engine == engine) {
                return true;
            }
        }
        return false;
    }

    /** Refuses to wait for a running operation that this thread is inside of. */
    void refuseInside(Address address, EngineId engine) {
        for (Frame frame = this; frame != null; frame = frame.around) {
            if (!frame.left && frame.engine == engine && frame.address.equals(address)) {
                throw new SelfWaitException(address, chain());
            }
        }
    }

    /** Refuses to join a transaction that an enclosing operation is independent of. */
    void refuseToJoin(Ambient transaction, Address address) {
        for (Frame frame = this; frame != null; frame = frame.around) {
            if (!frame.left && frame.apartFrom != null && frame.apartFrom.shares(transaction)) {
                throw new IllegalStateException(address + " declares transaction JOIN, and was called inside of "
                        + frame.address + ", which is independent of the same transaction: after a rollback, "
                        + frame.address + " would be complete without the rows of this call. Call it before or after"
                        + " that, or in a new transaction (REQUIRES_NEW). Nothing ran");
            }
        }
    }

    /** Marks the ledger as locked: until the frame is left, only its own action can write to the ledger. */
    static void writesAlone() {
        Frame frame = CURRENT.get();
        if (frame != null) {
            frame.alone = true;
        }
    }

    /** Refuses a call that would wait for a ledger locked by an enclosing operation. */
    void refuseBesideAlone(Address address, EngineId engine) {
        for (Frame frame = this; frame != null; frame = frame.around) {
            if (frame.alone && !frame.left && frame.engine == engine) {
                throw new IllegalStateException(address + " was called inside of " + frame.address
                        + ", whose transaction locks the ledger: call other operations before or"
                        + " after it");
            }
        }
    }

    /** Remembers the exception of a call: it proves nothing about the operation around that call. */
    static void threw(@Nullable Frame around, Throwable thrown) {
        if (around != null) {
            around.innerThrew(thrown);
        } else {
            // An action may have made the call in a thread of its own.
            OutsideExceptions.OF_THIS_PROCESS.add(thrown);
        }
    }

    /** Remembers the exception of an inner operation, in any thread: it proves nothing about this operation. */
    private synchronized void innerThrew(Throwable thrown) {
        if (innerFailures == null) {
            innerFailures = Collections.newSetFromMap(new IdentityHashMap<>());
        }
        innerFailures.add(thrown);
    }

    /** Whether any inner operation threw this exception. */
    boolean threwInside(Throwable thrown) {
        synchronized (this) {
            if (innerFailures != null && innerFailures.contains(thrown)) {
                return true;
            }
        }
        return OutsideExceptions.OF_THIS_PROCESS.since(before, thrown);
    }

    private static List<Address> chain() {
        List<Address> chain = new ArrayList<>();
        for (Frame frame = CURRENT.get(); frame != null; frame = frame.around) {
            chain.add(frame.address);
        }
        Collections.reverse(chain);
        return chain;
    }
}
