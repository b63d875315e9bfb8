package dev.idem.seal;

import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Failure;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;

/**
 * Seals and opens parts of an entry: results with media type and codec, the reasons for missing results, and the
 * messages of failures. A part without a mark was written before sealing was switched on, or by the ledger itself, and
 * stays unchanged.
 */
final class SealedValues {
    private static final String MEDIA_TYPE = "application/vnd.idem.sealed";

    private final SealKeys keys;
    private final Seals seals;

    SealedValues(SealKeys keys) {
        this.keys = keys;
        this.seals = new Seals(keys);
    }

    Settlement seal(Settlement how, Bond bond) {
        if (keys.isEmpty()) {
            return how;
        } else if (how instanceof Settlement.Completed completed) {
            return completed.withResult(seal(completed.result(), bond));
        } else if (how instanceof Settlement.Failed failed) {
            return new Settlement.Failed(seal(failed.failure(), bond), failed.kept(), failed.retention());
        } else if (how instanceof Settlement.Doubtful doubtful) {
            return new Settlement.Doubtful(seal(doubtful.failure(), bond), doubtful.ended());
        }
        return how;
    }

    /** Seals the settlement, settles, and opens the entry in the answer. */
    Settled settled(Settlement how, Bond bond, Function<Settlement, Settled> settle) {
        Settlement sealed = seal(how, bond);
        Settled settled = settle.apply(sealed);
        if (settled instanceof Settled.Recorded recorded) {
            Entry entry = recorded.entry();
            // The own settlement need not be opened again.
            boolean own = !keys.isEmpty() && sealed.equals(entry.settlement());
            return new Settled.Recorded(own ? entry.withSettlement(how) : open(entry));
        } else if (settled instanceof Settled.Already already) {
            return new Settled.Already(open(already.entry()));
        }
        Entry stale = ((Settled.Stale) settled).entry();
        return stale == null ? settled : new Settled.Stale(open(stale));
    }

    /** Opens the sealed parts of an entry; throws {@link LedgerUnreadableException} if one does not open. */
    Entry open(Entry entry) {
        if (!SealMark.begins(marked(entry))) {
            return entry;
        }
        Settlement how = entry.settlement();
        if (how instanceof Settlement.Completed completed) {
            return entry.withSettlement(completed.withResult(open(completed.result(), entry)));
        } else if (how instanceof Settlement.Failed failed) {
            Failure opened = open(failed.failure(), entry);
            return entry.withSettlement(new Settlement.Failed(opened, failed.kept(), failed.retention()));
        } else if (how instanceof Settlement.Doubtful doubtful) {
            return entry.withSettlement(new Settlement.Doubtful(open(doubtful.failure(), entry)));
        }
        return entry;
    }

    /** The mark on a stored entry; a damaged mark counts as none. */
    static Optional<SealMark> markOf(Entry stored) {
        return Optional.ofNullable(SealMark.parse(beforeColon(marked(stored))));
    }

    /** The text of an entry that begins with the mark, if it is sealed. */
    private static String marked(Entry stored) {
        if (stored.result() instanceof Result.Stored kept) {
            return kept.payload().codec();
        } else if (stored.result() instanceof Result.Unavailable unavailable) {
            return unavailable.why();
        }
        Failure failure = stored.failure();
        return failure == null ? "" : failure.message();
    }

    private static String beforeColon(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? text : text.substring(0, colon);
    }

    private Result seal(Result result, Bond bond) {
        if (result instanceof Result.Unavailable unavailable) {
            return new Result.Unavailable(sealText(unavailable.why(), Seals.Field.WHY, bond));
        }
        Payload payload = ((Result.Stored) result).payload();
        SealMark mark = SealMark.of(keys.current());
        byte[] sealed = seals.seal(bond, mark, Seals.Field.RESULT, packed(payload));
        return new Result.Stored(Payload.of(sealed, MEDIA_TYPE, mark.text()));
    }

    private Result open(Result result, Entry entry) {
        if (result instanceof Result.Unavailable unavailable) {
            return new Result.Unavailable(openText(unavailable.why(), Seals.Field.WHY, entry));
        }
        Payload payload = ((Result.Stored) result).payload();
        SealMark mark = SealMark.parse(payload.codec());
        return new Result.Stored(unpacked(seals.open(entry, mark, Seals.Field.RESULT, payload.bytes())));
    }

    private Failure seal(Failure failure, Bond bond) {
        return new Failure(failure.type(), sealText(failure.message(), Seals.Field.FAILURE, bond));
    }

    private Failure open(Failure failure, Entry entry) {
        return new Failure(failure.type(), openText(failure.message(), Seals.Field.FAILURE, entry));
    }

    private String sealText(String text, Seals.Field field, Bond bond) {
        SealMark mark = SealMark.of(keys.current());
        byte[] sealed = seals.seal(bond, mark, field, text.getBytes(StandardCharsets.UTF_8));
        return mark.text() + ":" + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }

    private String openText(String stored, Seals.Field field, Entry entry) {
        SealMark mark = SealMark.parse(beforeColon(stored));
        byte[] sealed;
        try {
            sealed = Base64.getUrlDecoder().decode(stored.substring(stored.indexOf(':') + 1));
        } catch (IllegalArgumentException e) {
            // Damaged: an empty value does not open either, and the error names the key's id.
            sealed = new byte[0];
        }
        return new String(seals.open(entry, mark, field, sealed), StandardCharsets.UTF_8);
    }

    /** Media type, codec, encoding, bytes: the kind of the result is sealed too. */
    private static byte[] packed(Payload payload) {
        byte[] mediaType = payload.mediaType().getBytes(StandardCharsets.UTF_8);
        byte[] codec = payload.codec().getBytes(StandardCharsets.UTF_8);
        byte[] encoding = payload.encoding().getBytes(StandardCharsets.UTF_8);
        int length = 3 * Integer.BYTES + mediaType.length + codec.length + encoding.length + payload.bytes().length;
        ByteBuffer packed = ByteBuffer.allocate(length);
        packed.putInt(mediaType.length).put(mediaType);
        packed.putInt(codec.length).put(codec);
        packed.putInt(encoding.length).put(encoding);
        return packed.put(payload.bytes()).array();
    }

    private static Payload unpacked(byte[] packed) {
        ByteBuffer buffer = ByteBuffer.wrap(packed);
        String mediaType = text(buffer);
        String codec = text(buffer);
        String encoding = text(buffer);
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return new Payload(bytes, mediaType, codec, encoding);
    }

    private static String text(ByteBuffer buffer) {
        byte[] text = new byte[buffer.getInt()];
        buffer.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }
}
