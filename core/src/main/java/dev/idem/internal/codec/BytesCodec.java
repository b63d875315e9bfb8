package dev.idem.internal.codec;

import dev.idem.Codec;
import dev.idem.spi.Payload;
import java.lang.reflect.Type;

/** Byte arrays as they are. */
final class BytesCodec implements Codec {
    static final String NAME = "bytes";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Type type) {
        return type == byte[].class;
    }

    @Override
    public Payload encode(Object value, Type type) {
        return Payload.of(((byte[]) value).clone(), "application/octet-stream", NAME);
    }

    @Override
    public Object decode(Payload payload, Type type) {
        return payload.bytes().clone();
    }
}
