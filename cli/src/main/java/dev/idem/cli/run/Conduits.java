package dev.idem.cli.run;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pipes a command is started with: the gate that holds it back, and the pipes it writes to. */
record Conduits(Gate gate, OwnPipe out, OwnPipe err) implements AutoCloseable {
    /**
     * Creates them; null if the host has no {@code /proc} that shows this process's pipes.
     *
     * @param pid of this process
     * @param word that opens the gate
     */
    static @Nullable Conduits make(long pid, String word) throws IOException {
        List<OwnPipe> pipes = OwnPipe.make(3);
        return pipes.isEmpty()
                ? null
                : new Conduits(
                        Gate.on(pipes.get(0), pid, word),
                        pipes.get(1).forReading(),
                        pipes.get(2).forReading());
    }

    /** The same pipes for another command; they must be empty. */
    Conduits with(String word) {
        return new Conduits(gate.with(word), out, err);
    }

    @Override
    public void close() throws IOException {
        gate.close();
        out.close();
        err.close();
    }
}
