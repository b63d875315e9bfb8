package dev.idem.torture.subject;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A ledger under torture, with the server it needs. */
public interface Subject extends AutoCloseable {
    /** What can be done to it. */
    Set<Deed> deeds();

    /** The ledger as workers reach it, through the proxy where there is one. */
    String url();

    /** The ledger as the driver looks at it in the end. */
    default String plainUrl() {
        return url();
    }

    /** What the virtual machine of a worker is told. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** How many processes may have it open at once. */
    default int processes() {
        return 3;
    }

    /** What stands between workers and server. */
    default Optional<Proxy> proxy() {
        return Optional.empty();
    }

    /** Ends the server as a crash would, and starts it again. */
    default void restart() throws IOException {
        throw new UnsupportedOperationException("it has no server");
    }

    /** The size of its largest file, where workers write it themselves. */
    default long largestFile() throws IOException {
        return 0;
    }

    /** What is wrong with what it has stored, by other means than its own; empty for nothing. */
    default Optional<String> damage() {
        return Optional.empty();
    }

    @Override
    void close() throws IOException;
}
