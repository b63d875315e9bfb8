package dev.idem.server.notice;

import dev.idem.Address;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * A call that needs a person.
 *
 * @param mark tells this need from others of the same call: the fence of the attempt in doubt, or the key of a request for
 *     approval
 * @param words why, in one sentence
 */
record Need(Kind kind, Address address, String mark, Instant since, String words, Map<String, String> labels) {
    private static final int BYTES = 12;
    /** The length of {@link #id()}. */
    static final int ID_LENGTH = 16;

    /** A short name that no other need has. */
    String id() {
        String all = String.join("\0", kind.word(), address.scope(), address.operation(), address.key(), mark);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(digest, BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
