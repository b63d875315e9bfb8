package dev.idem.spi;

import java.util.Arrays;
import java.util.Objects;

/**
 * The bytes of a result as they are stored. They may hold secrets, so {@link #toString()} shows none of them.
 *
 * <p>The array is not copied: callers must not change it.
 *
 * @param bytes the stored bytes, after {@code encoding}
 * @param mediaType the media type of the decoded bytes, for instance {@code application/json}
 * @param codec the name of the codec that wrote them
 * @param encoding {@code identity} or {@code gzip}
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, see below; results are large, copies are not free
public record Payload(byte[] bytes, String mediaType, String codec, String encoding) {
    public static final String IDENTITY = "identity";
    public static final String GZIP = "gzip";

    public Payload {
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(mediaType, "mediaType");
        Objects.requireNonNull(codec, "codec");
        Objects.requireNonNull(encoding, "encoding");
    }

    /** Bytes that are stored as they are. */
    public static Payload of(byte[] bytes, String mediaType, String codec) {
        return new Payload(bytes, mediaType, codec, IDENTITY);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that
                && Arrays.equals(bytes, that.bytes)
                && mediaType.equals(that.mediaType)
                && codec.equals(that.codec)
                && encoding.equals(that.encoding);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(bytes) + codec.hashCode();
    }

    @Override
    public String toString() {
        return "Payload[" + bytes.length + " bytes, " + mediaType + ", " + codec + ", " + encoding + "]";
    }
}
