package dev.idem.cli.recorded;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.cli.around.Surroundings;
import dev.idem.spi.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Values on the line, or on stdin for {@code -}. */
public final class Given {
    private Given() {}

    /** A JSON value; integers of any size stay exact. */
    public static @Nullable Object json(String given, Surroundings around) throws IOException {
        return Json.parseExact(bytes(given, around));
    }

    /** As JSON if it is JSON, else text, else bytes: Java callers read these with the default codecs. */
    public static Payload payload(String given, Surroundings around) throws IOException {
        byte[] bytes = bytes(given, around);
        try {
            return json(bytes);
        } catch (JsonException e) {
            return Text.isUtf8(bytes)
                    ? Payload.of(bytes, "text/plain;charset=utf-8", "text")
                    : Payload.of(bytes, "application/octet-stream", "bytes");
        }
    }

    /** The same for a value that must be JSON. */
    public static Payload jsonPayload(String given, Surroundings around) throws IOException {
        return json(bytes(given, around));
    }

    private static Payload json(byte[] bytes) {
        byte[] json = Json.write(Json.parseExact(bytes)).getBytes(StandardCharsets.UTF_8);
        return Payload.of(json, "application/json", "json");
    }

    /** The bytes of the value. */
    public static byte[] bytes(String given, Surroundings around) throws IOException {
        return given.equals("-") ? around.in().readAllBytes() : given.getBytes(StandardCharsets.UTF_8);
    }
}
