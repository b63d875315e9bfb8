package dev.idem.torture.subject;

import dev.idem.lab.Proxy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A ledger under torture, with the server it needs. */
public interface Subject extends AutoCloseable {
    /** The faults that it supports. */
    Set<Deed> deeds();

    /** The URL for workers, through the proxy if there is one. */
    String url();

    /** The URL for the driver's final check. */
    default String plainUrl() {
        return url();
    }

    /** The options for the virtual machine of a worker. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** How many processes may have it open at once. */
    default int processes() {
        return 3;
    }

    /** The proxy between workers and server. */
    default Optional<Proxy> proxy() {
        return Optional.empty();
    }

    /** Ends the server as a crash would, and starts it again. */
    default void restart() throws IOException {
        throw new UnsupportedOperationException("it has no server");
    }

    /**
     * Lets the replica take over.
     *
     * @param lag for how long the replica has not heard from the master
     * @param split whether the old master still serves when the replica takes over; else it is dead
     */
    default void failOver(Duration lag, boolean split) throws IOException {
        throw new UnsupportedOperationException("it has no replica");
    }

    /** Sets the clock of the server to so much after the real time. */
    default void jump(Duration offset) {
        throw new UnsupportedOperationException("its clock can't be set");
    }

    /** The size of its largest file, if workers write it themselves. */
    default long largestFile() throws IOException {
        return 0;
    }

    /** Damage of the stored data, found by independent means; empty for none. */
    default Optional<String> damage() {
        return Optional.empty();
    }

    @Override
    void close() throws IOException;
}
