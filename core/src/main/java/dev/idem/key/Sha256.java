package dev.idem.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Digests that are used again: to ask the platform for one takes as long as to digest a short text. One is kept, which
 * serves whoever comes while nobody else has it.
 */
final class Sha256 {
    private static final AtomicReference<MessageDigest> SPARE = new AtomicReference<>();

    private Sha256() {}

    /** A digest that is ready to start, and belongs to the caller. */
    static MessageDigest take() {
        MessageDigest spare = SPARE.getAndSet(null);
        return spare != null ? spare : create();
    }

    /** Gives back a digest that is ready to start. One in another state is dropped instead. */
    static void giveBack(MessageDigest ready) {
        SPARE.setRelease(ready);
    }

    private static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256; this one does not", e);
        }
    }
}
