package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.NotExecutedException;
import dev.idem.StaleTicketException;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Retention;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A granted attempt while its action runs. */
final class RunningCall implements Call {
    private static final Set<Effect> CHANGES = EnumSet.of(Effect.CREATED, Effect.UPDATED, Effect.DELETED);

    private final Entry entry;
    private final HeldTicket held;
    private final Ledger ledger;
    private final Clock clock;
    private final Predicate<Throwable> nothingHappened;
    private volatile Effect effect = Effect.CREATED;
    private volatile Duration atLeast = Duration.ZERO;
    private volatile boolean marked;
    private volatile boolean endReported;
    private volatile boolean lostTry;
    private volatile @Nullable Throwable unmarked;
    private volatile @Nullable Throwable ambiguity;

    RunningCall(Entry entry, HeldTicket held, Ledger ledger, Clock clock, Predicate<Throwable> nothingHappened) {
        this.entry = entry;
        this.held = held;
        this.ledger = ledger;
        this.clock = clock;
        this.nothingHappened = nothingHappened;
    }

    @Override
    public Address address() {
        return entry.address();
    }

    @Override
    public Fence fence() {
        return entry.fence();
    }

    @Override
    public int attempt() {
        return entry.attempt();
    }

    @Override
    public boolean stillOwner() {
        return isTrusted() && !isPastItsLimit();
    }

    @Override
    public void mark(String name) {
        mark(Mark.of(name));
    }

    @Override
    public void mark(String name, ProcessRef child) {
        mark(new Mark(name, child));
    }

    private void mark(Mark mark) {
        if (!entry.tenure().staged()) {
            throw new IllegalStateException("operation '" + address().operation()
                    + "' is not staged, so a mark would prove nothing. Declare it with .staged()");
        }
        try {
            write(mark);
        } catch (RuntimeException e) {
            unmarked = e;
            throw e;
        }
        marked = true;
    }

    private void write(Mark mark) {
        if (ledger.mark(held.ticket, mark)) {
            return;
        }
        held.lost = true;
        if (marked) {
            throw new StaleTicketException(held.ticket, ledger.find(address()).orElse(null), null, null);
        }
        throw new NotExecutedException("the mark '" + mark.name() + "' for " + address()
                + " was refused: another owner has taken over. Nothing was done by this attempt");
    }

    @Override
    public void effect(Effect reported) {
        effect = reported;
    }

    @Override
    public void keepAtLeast(Duration time) {
        atLeast = time;
    }

    @Override
    public void ambiguous(Throwable cause) {
        ambiguity = cause;
        lostTry = lostTry || !Answered.isIn(cause, inner -> false);
    }

    @Override
    public void remoteEnded() {
        endReported = true;
        lostTry = false;
    }

    @Override
    public boolean doubted() {
        return entry.doubt() != null || wasAmbiguous();
    }

    @Override
    public boolean nothingHappened(Throwable thrown) {
        return nothingHappened.test(thrown);
    }

    /** Whether the lease is still alive by both clocks of this process. */
    boolean isTrusted() {
        return held.trusted(clock.nanos(), clock.millis());
    }

    boolean isPastItsLimit() {
        return clock.nanos() - held.limitAt >= 0;
    }

    Effect effect() {
        return effect;
    }

    /** Whether the action has broken its promise to leave a mark before its effect. */
    boolean actedUnmarked() {
        return entry.tenure().staged() && !marked && CHANGES.contains(effect);
    }

    /** How long the result is kept. */
    Retention retention(Retention usual) {
        return atLeast.compareTo(usual.keep()) > 0 ? new Retention(atLeast, usual.tombstone()) : usual;
    }

    /**
     * Whether a staged action that threw this has not acted: it wrote no mark, or its mark failed and that exception
     * ended it. An action that continued without its mark may have acted.
     */
    boolean stoppedBeforeItsMark(Throwable thrown) {
        Throwable stopped = unmarked;
        return !marked && (stopped == null || stopped == thrown || stopped == thrown.getCause());
    }

    /** Whether nothing acts any more when the action has ended with this, but for what the grace of the probe covers. */
    boolean endIsSeen(Throwable thrown, Predicate<Throwable> inner) {
        return !lostTry && (endReported || Answered.isIn(thrown, inner));
    }

    boolean wasAmbiguous() {
        return ambiguity != null;
    }
}
