package dev.idem.postgresql;

import dev.idem.entry.Failure;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Retention;
import dev.idem.ledger.ClaimRequest;
import dev.idem.sql.Micros;
import dev.idem.sql.Outcome;
import dev.idem.sql.Texts;
import org.jspecify.annotations.Nullable;

/**
 * What an entry only carries along, as the text that the server makes of a value of several parts: it keeps that text as
 * it is, and takes it apart only where it must.
 */
final class PackedText {
    private static final String GRANTED = "granted";

    private final StringBuilder text = new StringBuilder(256).append('(');

    private PackedText() {}

    /** The type {@code granted}, for a first attempt. */
    static String granted(ClaimRequest request) {
        ProcessRef process = request.owner().process();
        return new PackedText()
                .part(request.attemptId().toString())
                .part(1)
                .part(request.fingerprints().identity())
                .part(request.fingerprints().content())
                .part(request.owner().name())
                .part(process == null ? null : process.host())
                .part(process == null ? null : (Long) process.pid())
                .part(process == null ? null : (Long) process.start())
                .part(Micros.of(request.timeLimit()))
                .part(request.staged())
                .part(Texts.address(request.parent()))
                .part(Texts.labels(request.labels()))
                .part(GRANTED)
                .nothing()
                .nothing()
                .end();
    }

    /**
     * The type {@code settlement}.
     *
     * @param ended what the trail will tell of it; null when the server knows that
     */
    static String settlement(Outcome outcome, @Nullable String ended) {
        Retention retention = outcome.retention();
        Failure failure = outcome.failure();
        Payload payload = outcome.payload();
        return new PackedText()
                .part(outcome.word())
                .part(outcome.effect())
                .part(outcome.kept())
                .part(retention == null ? null : (Long) Micros.of(retention.keep()))
                .part(retention == null ? null : (Long) Micros.of(retention.tombstone()))
                .part(outcome.reason())
                .part(failure == null ? null : failure.type())
                .part(failure == null ? null : failure.message())
                .part(payload == null ? null : payload.mediaType())
                .part(payload == null ? null : payload.codec())
                .part(payload == null ? null : payload.encoding())
                .part(ended)
                .nothing()
                .end();
    }

    private PackedText part(@Nullable String part) {
        if (part == null) {
            return nothing();
        } else if (isPlain(part)) {
            text.append(part);
        } else {
            text.append('"')
                    .append(part.replace("\\", "\\\\").replace("\"", "\"\""))
                    .append('"');
        }
        return nothing();
    }

    private PackedText part(@Nullable Long number) {
        if (number != null) {
            text.append(number.longValue());
        }
        return nothing();
    }

    private PackedText part(long number) {
        text.append(number);
        return nothing();
    }

    private PackedText part(boolean flag) {
        text.append(flag ? 't' : 'f');
        return nothing();
    }

    /** What is empty up to the comma is null. */
    private PackedText nothing() {
        text.append(',');
        return this;
    }

    private String end() {
        text.setCharAt(text.length() - 1, ')');
        return text.toString();
    }

    /** Nothing at all would be null. */
    private static boolean isPlain(String part) {
        for (int i = 0; i < part.length(); i++) {
            switch (part.charAt(i)) {
                case '"', '\\', '(', ')', ',' -> {
                    return false;
                }
                default -> {}
            }
        }
        return !part.isEmpty();
    }
}
