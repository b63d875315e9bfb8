package dev.idem.testkit.store;

import dev.idem.Address;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** A store behind a bad network and a driver that resends. Counts the calls it was asked for. */
final class FaultyStore implements EntryStore {
    /** A fault of one call. */
    enum Fault {
        /** It is done and answered. */
        NONE,
        /** It is not done, and there is no answer. */
        NOT_SENT,
        /** It is done, and there is no answer. */
        ANSWER_LOST,
        /** It is done twice, and the second answer is given. */
        SENT_TWICE,
        /** There is no answer, and it is done later, after other calls. */
        DELAYED,
        /** A write is not done, since the row is said to have changed. */
        SWAP_LOST
    }

    private final EntryStore store;
    private final Supplier<Fault> faults;
    private final Queue<Runnable> delayed = new ConcurrentLinkedQueue<>();
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    FaultyStore(EntryStore store, Supplier<Fault> faults) {
        this.store = store;
        this.faults = faults;
    }

    /** A store whose next calls have these faults, and the later ones none. */
    static FaultyStore of(EntryStore store, Fault... next) {
        Queue<Fault> faults = new ArrayDeque<>(List.of(next));
        return new FaultyStore(store, () -> faults.isEmpty() ? Fault.NONE : faults.poll());
    }

    /** The names of the calls since this was last asked. */
    List<String> calls() {
        List<String> made = List.copyOf(calls);
        calls.clear();
        return made;
    }

    /** Does what was delayed. */
    void deliver() {
        for (Runnable call = delayed.poll(); call != null; call = delayed.poll()) {
            call.run();
        }
    }

    private <A> A call(String name, Supplier<A> call) {
        calls.add(name);
        return call(name, call, faults.get(), delayed);
    }

    private static <A> A call(String name, Supplier<A> call, Fault fault, Queue<Runnable> delayed) {
        switch (fault) {
            case NOT_SENT -> throw lost(name);
            case ANSWER_LOST -> {
                A unheard = call.get();
                throw lost(name + ", which was " + unheard);
            }
            case SENT_TWICE -> {
                A unheard = call.get();
                A heard = call.get();
                return heard == null ? unheard : heard;
            }
            case DELAYED -> {
                delayed.add(() -> Objects.requireNonNull(call.get()));
                throw lost(name);
            }
            default -> {
                return call.get();
            }
        }
    }

    private static LedgerUnavailableException lost(String name) {
        return new LedgerUnavailableException("no answer to " + name + ", by order", null);
    }

    @Override
    public Found insert(Address at, Draft first) {
        return call("insert", () -> store.insert(at, first));
    }

    @Override
    public Found read(Address at) {
        return call("read", () -> store.read(at));
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        calls.add("replace");
        Fault fault = faults.get();
        return fault == Fault.SWAP_LOST
                ? new Swap.Changed()
                : call("replace", () -> store.replace(seen, next, guard), fault, delayed);
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        return call("renew", () -> store.renew(leases));
    }

    @Override
    public void confirm(Row row) {
        calls.add("confirm");
    }

    @Override
    public String describe() {
        return "faulty " + store.describe();
    }

    @Override
    public void close() {}
}
