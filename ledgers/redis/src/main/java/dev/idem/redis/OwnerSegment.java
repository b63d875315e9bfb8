package dev.idem.redis;

import dev.idem.entry.AttemptId;
import dev.idem.entry.Owner;
import dev.idem.entry.ProcessRef;
import org.jspecify.annotations.Nullable;

/** Who holds an entry: 16 bytes of the attempt's id, which scripts compare, then the owner. */
record OwnerSegment(AttemptId attemptId, Owner owner) {
    /** How many bytes the attempt's id has. */
    static final int ATTEMPT_ID = 2 * Long.BYTES;

    /** The attempt's id in front of an owner that was packed before. */
    static byte[] pack(AttemptId id, byte[] owner) {
        return new FieldWriter(ATTEMPT_ID + owner.length)
                .number(id.high())
                .number(id.low())
                .raw(owner)
                .bytes();
    }

    static byte[] pack(Owner owner) {
        FieldWriter writer = new FieldWriter(128).text(owner.name());
        process(writer, owner.process());
        return writer.bytes();
    }

    static OwnerSegment unpack(FieldReader reader) {
        return new OwnerSegment(attemptId(reader), owner(reader));
    }

    static AttemptId attemptId(FieldReader reader) {
        return new AttemptId(reader.number(), reader.number());
    }

    /** What stands behind the attempt's id. */
    static Owner owner(FieldReader reader) {
        return new Owner(reader.text(), process(reader));
    }

    static void process(FieldWriter writer, @Nullable ProcessRef process) {
        if (process == null) {
            writer.text(null);
        } else {
            writer.text(process.host()).number(process.pid()).number(process.start());
        }
    }

    static @Nullable ProcessRef process(FieldReader reader) {
        String host = reader.textOrNull();
        return host == null ? null : new ProcessRef(host, reader.number(), reader.number());
    }
}
