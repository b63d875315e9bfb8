package dev.idem.cli.around;

import dev.idem.cli.envelope.Exit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of INT, TERM and HUP: while a command runs they are its business, before that they end the call, and
 * while its end is being recorded they are too late.
 */
public final class Signals {
    /** Where things stand. */
    private sealed interface Phase {
        /** No command yet; this thread may be waiting. */
        record Before(Thread caller) implements Phase {}

        record Caught(String name, int number) implements Phase {}

        record Running(Consumer<String> command) implements Phase {}

        record After() implements Phase {}
    }

    private final AtomicReference<Phase> phase;
    private final Set<Signals> parts = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Phase.@Nullable Caught> during = new AtomicReference<>();

    /** Made with {@code caller}: interrupted when a signal comes before the command runs */
    public Signals(Thread caller) {
        this.phase = new AtomicReference<>(new Phase.Before(caller));
    }

    /** A signal has come. */
    public void receive(String name, int number) {
        Phase now = phase.get();
        if (now instanceof Phase.Before before && phase.compareAndSet(now, new Phase.Caught(name, number))) {
            before.caller().interrupt();
        } else if (phase.get() instanceof Phase.Running running) {
            during.set(new Phase.Caught(name, number));
            running.command().accept(name);
        }
        parts.forEach(part -> part.receive(name, number));
    }

    /** For a thread that works beside others: it receives whatever comes here, also what has come already. */
    public Signals part(Thread caller) {
        Signals part = new Signals(caller);
        parts.add(part);
        if (phase.get() instanceof Phase.Caught caught) {
            part.receive(caught.name(), caught.number());
        }
        return part;
    }

    /** From now on signals go to the command, by their names; false when one came before, and the command must not run. */
    public boolean handTo(Consumer<String> command) {
        Phase now = phase.get();
        return now instanceof Phase.Before && phase.compareAndSet(now, new Phase.Running(command));
    }

    /** The command has ended. */
    public void ended() {
        Phase now = phase.get();
        if (now instanceof Phase.Running) {
            phase.set(new Phase.After());
        }
    }

    /** The exit code for a signal that ended the call before the command ran; null when there was none. */
    @Nullable
    public Integer exitCode() {
        return phase.get() instanceof Phase.Caught caught ? Exit.FIRST_SIGNAL + caught.number() : null;
    }

    /** Makes ready for one more command; false when a signal came during the last one, and there must be no other. */
    public boolean again(Thread caller) {
        Phase.Caught caught = during.get();
        if (phase.get() instanceof Phase.After) {
            phase.set(caught == null ? new Phase.Before(caller) : caught);
        }
        return phase.get() instanceof Phase.Before;
    }
}
