package dev.idem.internal.codec;

import dev.idem.Codec;
import dev.idem.Json;
import dev.idem.internal.json.JsonBinder;
import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Records, collections and the other listed types as readable JSON. */
final class JsonCodec implements Codec {
    static final String NAME = "json";
    static final String MEDIA_TYPE = "application/json";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean handles(Type type) {
        return true;
    }

    @Override
    public Payload encode(Object value, Type type) {
        return Payload.of(Json.write(value).getBytes(StandardCharsets.UTF_8), MEDIA_TYPE, NAME);
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) {
        return JsonBinder.bind(Json.parseExact(payload.bytes()), type);
    }
}
