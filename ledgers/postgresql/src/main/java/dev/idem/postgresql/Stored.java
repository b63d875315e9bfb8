package dev.idem.postgresql;

import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.ledger.ClaimRequest;
import dev.idem.sql.Micros;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Claims and completions as the server keeps them: in whole microseconds, and without U+0000 and halves of surrogate
 * pairs, which no text of this server can hold. What was granted need not be sent back then.
 */
final class Stored {
    private static final int NANOS = 1_000;

    private Stored() {}

    /** The sign for U+0000 stands in its place, and a question mark for half of a surrogate pair. */
    static String plain(String text) {
        return isPlain(text)
                ? text
                : new String(text.replace('\0', '\u2400').getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** Whether it is sure to be kept as it is. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isSurrogate(c)) {
                return false;
            }
        }
        return true;
    }

    static ClaimRequest of(ClaimRequest request) {
        return new ClaimRequest(
                request.attemptId(),
                request.address(),
                request.fingerprints(),
                request.parent(),
                request.labels().isEmpty() ? request.labels() : plain(request.labels()),
                of(request.owner()),
                whole(request.lease()),
                whole(request.timeLimit()),
                request.staged(),
                request.takeOver(),
                whole(request.grace()));
    }

    private static Owner of(Owner owner) {
        ProcessRef process = owner.process();
        boolean asItIs = isPlain(owner.name()) && (process == null || isPlain(process.host()));
        return asItIs
                ? owner
                : new Owner(
                        plain(owner.name()),
                        process == null ? null : new ProcessRef(plain(process.host()), process.pid(), process.start()));
    }

    static Map<String, String> plain(Map<String, String> labels) {
        Map<String, String> plain = new TreeMap<>();
        labels.forEach((name, value) -> plain.put(plain(name), plain(value)));
        return plain;
    }

    static Settlement.Completed of(Settlement.Completed how) {
        Retention retention = how.retention();
        return new Settlement.Completed(
                of(how.result()),
                how.effect(),
                new Retention(whole(retention.keep()), whole(retention.tombstone())),
                how.note() == null ? null : plain(how.note()));
    }

    private static Result of(Result result) {
        if (result instanceof Result.Unavailable unavailable) {
            return new Result.Unavailable(plain(unavailable.why()));
        }
        Payload payload = ((Result.Stored) result).payload();
        boolean asItIs = isPlain(payload.mediaType()) && isPlain(payload.codec()) && isPlain(payload.encoding());
        return asItIs
                ? result
                : new Result.Stored(new Payload(
                        payload.bytes(),
                        plain(payload.mediaType()),
                        plain(payload.codec()),
                        plain(payload.encoding())));
    }

    private static Duration whole(Duration duration) {
        return duration.toNanosPart() % NANOS == 0 ? duration : Micros.duration(Micros.of(duration));
    }
}
