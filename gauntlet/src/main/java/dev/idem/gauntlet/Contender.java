package dev.idem.gauntlet;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A library on a store, set up as its documentation says. */
interface Contender extends AutoCloseable {
    /** The optional features of a contender. */
    enum Offer {
        /** Duplicates get the result of the first call. */
        REPLAY,
        /** A key is derived from the payload when none is given. */
        KEY_FROM_PAYLOAD,
        /** An owner that is too slow can be taken over. */
        TAKE_OVER,
        /** The store survives the process. */
        DURABLE
    }

    String name();

    String store();

    /** The settings that differ from its defaults, and how it is called. */
    String configuration();

    Set<Offer> offers();

    /** Runs the work of an operation once for the key, and returns the caller's answer; never throws. */
    Answer call(String operation, String key, Map<String, Object> payload, Work work);

    /** The same, with the payload as the key. */
    default Answer callByPayload(String operation, Map<String, Object> payload, Work work) {
        throw new UnsupportedOperationException(name() + " derives no keys");
    }

    /** The same, by an owner that may be taken over after this time. */
    default Answer callFor(Duration lease, String operation, String key, Map<String, Object> payload, Work work) {
        throw new UnsupportedOperationException(name() + " knows no leases");
    }

    default String title() {
        return name() + " / " + store();
    }

    @Override
    void close();
}
