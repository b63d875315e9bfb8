package dev.idem.cli.recorded;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Stored results as fields of the JSON object. */
public final class Results {
    private Results() {}

    /** Adds the result as JSON, else as text, else in base64; or the reason why there is none. */
    public static void add(Map<String, @Nullable Object> fields, @Nullable Result result) {
        if (result instanceof Result.Unavailable unavailable) {
            fields.put("result", null);
            fields.put("result_unavailable", unavailable.why());
        } else if (result instanceof Result.Stored stored) {
            add(fields, stored.payload());
        }
    }

    private static void add(Map<String, @Nullable Object> fields, Payload payload) {
        byte[] bytes = plain(payload);
        String text = Text.orNull(bytes);
        if (text == null) {
            fields.put("result_base64", Base64.getEncoder().encodeToString(bytes));
        } else {
            fields.put("result", payload.mediaType().equals("application/json") ? json(text) : text);
        }
        fields.put("media_type", payload.mediaType());
    }

    private static @Nullable Object json(String text) {
        try {
            return Json.parseExact(text);
        } catch (JsonException e) {
            return text;
        }
    }

    /** Whether duplicates would get the same result. Two results that can't be replayed are the same. */
    public static boolean same(Result one, @Nullable Result other) {
        if (one instanceof Result.Stored first && other instanceof Result.Stored second) {
            return Arrays.equals(plain(first.payload()), plain(second.payload()));
        }
        return one instanceof Result.Unavailable && other instanceof Result.Unavailable;
    }

    /** The decompressed bytes. */
    public static byte[] plain(Payload payload) {
        if (!payload.encoding().equals(Payload.GZIP)) {
            return payload.bytes();
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(payload.bytes()))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("the result can't be unpacked", e);
        }
    }
}
