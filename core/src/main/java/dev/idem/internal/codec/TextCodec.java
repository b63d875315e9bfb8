package dev.idem.internal.codec;

import dev.idem.Codec;
import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Strings as UTF-8 text. */
final class TextCodec implements Codec {
    static final String NAME = "text";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Type type) {
        return type == String.class;
    }

    @Override
    public Payload encode(Object value, Type type) {
        String text = (String) value;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // Encoding replaces lone surrogates, but a replay must return exactly the first value.
        if (hasSurrogates(text) && !new String(bytes, StandardCharsets.UTF_8).equals(text)) {
            throw new IllegalArgumentException("it holds a lone surrogate, which is no text");
        }
        return Payload.of(bytes, "text/plain;charset=utf-8", NAME);
    }

    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Object decode(Payload payload, Type type) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }
}
