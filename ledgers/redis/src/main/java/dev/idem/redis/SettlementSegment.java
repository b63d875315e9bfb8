package dev.idem.redis;

import dev.idem.entry.Effect;
import dev.idem.entry.Failure;
import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;

/**
 * How an attempt ended. How long that is kept stands in front of the segments; whether a failure counts as one, or is
 * only what is known of a doubt, is told by the state of the entry.
 */
final class SettlementSegment {
    private static final byte STORED = 'S';
    private static final byte UNAVAILABLE = 'U';
    private static final byte NOTE = 'N';

    private SettlementSegment() {}

    /** The letter by which scripts know a settlement. */
    static byte kind(Settlement how) {
        if (how instanceof Settlement.Completed) {
            return Layout.COMPLETE;
        } else if (how instanceof Settlement.Failed failed) {
            return failed.kept() ? Layout.FAILED_FOR_GOOD : Layout.FAILED;
        }
        if (how instanceof Settlement.Doubtful doubtful) {
            return doubtful.ended() ? Layout.SEEN_TO_END : Layout.IN_DOUBT;
        }
        return Layout.NOT_EXECUTED;
    }

    static byte[] pack(Settlement how) {
        if (how instanceof Settlement.Completed completed) {
            return completed(completed);
        } else if (how instanceof Settlement.Failed failed) {
            return failure(Layout.FAILED, failed.failure());
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            return new FieldWriter(64)
                    .raw(Layout.NOT_EXECUTED)
                    .text(notExecuted.evidence())
                    .bytes();
        }
        return failure(Layout.IN_DOUBT, ((Settlement.Doubtful) how).failure());
    }

    private static byte[] completed(Settlement.Completed completed) {
        Payload payload = completed.result() instanceof Result.Stored stored ? stored.payload() : null;
        FieldWriter out = new FieldWriter(64 + (payload == null ? 0 : payload.bytes().length))
                .raw(Layout.COMPLETE)
                .raw(letter(completed.effect()));
        if (completed.note() != null) {
            out.raw(NOTE).text(completed.note());
        }
        if (payload == null) {
            return out.raw(UNAVAILABLE)
                    .text(((Result.Unavailable) completed.result()).why())
                    .bytes();
        }
        return out.raw(STORED)
                .text(payload.mediaType())
                .text(payload.codec())
                .text(payload.encoding())
                .raw(payload.bytes())
                .bytes();
    }

    private static byte[] failure(byte kind, Failure failure) {
        return new FieldWriter(128)
                .raw(kind)
                .text(failure.type())
                .text(failure.message())
                .bytes();
    }

    /** The settlement of an entry that is no longer in progress. */
    static Settlement unpack(FieldReader reader, byte state, Retention retention) {
        byte kind = reader.raw();
        if (kind == Layout.COMPLETE) {
            Effect effect = effect(reader.raw());
            byte next = state == Layout.EXPIRED ? UNAVAILABLE : reader.raw();
            String note = next == NOTE ? reader.text() : null;
            Result result = result(reader, state, next == NOTE ? reader.raw() : next);
            return new Settlement.Completed(result, effect, retention, note);
        } else if (kind == Layout.NOT_EXECUTED) {
            String evidence = reader.text();
            return state == Layout.IN_DOUBT
                    ? new Settlement.Doubtful(new Failure("not_executed", evidence))
                    : new Settlement.NotExecuted(evidence, retention);
        }
        Failure failure = new Failure(reader.text(), reader.text());
        return state == Layout.IN_DOUBT
                ? new Settlement.Doubtful(failure)
                : new Settlement.Failed(failure, state != Layout.FAILED, retention);
    }

    private static Result result(FieldReader reader, byte state, byte form) {
        if (state == Layout.EXPIRED) {
            return new Result.Unavailable("it has expired");
        } else if (form == UNAVAILABLE) {
            return new Result.Unavailable(reader.text());
        }
        String mediaType = reader.text();
        String codec = reader.text();
        String encoding = reader.text();
        return new Result.Stored(new Payload(reader.rest(), mediaType, codec, encoding));
    }

    private static byte letter(Effect effect) {
        return switch (effect) {
            case CREATED -> 'c';
            case UPDATED -> 'u';
            case DELETED -> 'd';
            case NOOP -> 'n';
            case WOULD_CREATE -> 'C';
            case WOULD_UPDATE -> 'U';
            case WOULD_DELETE -> 'D';
        };
    }

    private static Effect effect(byte letter) {
        for (Effect effect : Effect.values()) {
            if (letter(effect) == letter) {
                return effect;
            }
        }
        throw new IllegalArgumentException("'" + (char) letter + "' is no effect");
    }
}
