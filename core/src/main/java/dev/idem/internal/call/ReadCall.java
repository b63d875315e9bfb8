package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.spi.Effect;
import dev.idem.spi.Fence;
import dev.idem.spi.ProcessRef;
import java.time.Duration;

/** The call handle of a READ, which holds no ticket. */
record ReadCall(Address address) implements Call {
    @Override
    public Fence fence() {
        throw new IllegalStateException("a READ is not claimed and has no fence");
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public boolean stillOwner() {
        return true;
    }

    @Override
    public void mark(String name) {
        throw new IllegalStateException("a READ has no entry to mark");
    }

    @Override
    public void mark(String name, ProcessRef child) {
        mark(name);
    }

    @Override
    public void effect(Effect effect) {
        if (effect != Effect.NOOP) {
            throw new IllegalStateException("a READ has no effect; declare the operation as WRITE");
        }
    }

    @Override
    public void keepAtLeast(Duration time) {
        // A READ has no entry that could be kept.
    }

    @Override
    public void ambiguous(Throwable cause) {
        // A READ has no entry that could be in doubt.
    }

    @Override
    public void remoteEnded() {
        // A READ has no entry that could be in doubt.
    }

    @Override
    public boolean doubted() {
        return false;
    }

    @Override
    public boolean nothingHappened(Throwable thrown) {
        return true;
    }
}
