package dev.idem.http;

import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A plain result that a person gave a request in doubt, without the form of {@link StoredResponse}, for instance with
 * {@code idem resolve --result JSON}. It is the body of a response with the status 200.
 */
final class ResolvedResult {
    /** The response for a result that is null. */
    static final Response NULL = Response.of(200).body("application/json", "null");

    private static final List<String> FIELDS_OF_A_RESPONSE = List.of("version", "status", "encoding");

    private ResolvedResult() {}

    /** The response; null where no person gave a result, or where it is a response that this version can't read. */
    static @Nullable Response response(Entry entry) {
        if (entry.resolution() == null || !(entry.result() instanceof Result.Stored stored)) {
            return null;
        }
        try {
            byte[] bytes = plain(stored.payload());
            return isResponse(bytes)
                    ? null
                    : Response.of(200)
                            .body(bytes)
                            .withHeader("Content-Type", stored.payload().mediaType());
        } catch (IOException e) {
            return null;
        }
    }

    private static byte[] plain(Payload payload) throws IOException {
        if (!payload.encoding().equals(Payload.GZIP)) {
            return payload.bytes();
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(payload.bytes()))) {
            return in.readAllBytes();
        }
    }

    private static boolean isResponse(byte[] bytes) {
        try {
            return Json.parse(bytes) instanceof Map<?, ?> fields
                    && fields.keySet().containsAll(FIELDS_OF_A_RESPONSE);
        } catch (JsonException e) {
            return false;
        }
    }
}
