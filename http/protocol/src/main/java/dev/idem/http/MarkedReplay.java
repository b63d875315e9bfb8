package dev.idem.http;

import dev.idem.Json;
import dev.idem.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A replay that says so in its body: {@code {"status":"already_processed","result":…}}. */
final class MarkedReplay {
    private static final Set<String> MEMBERS = Set.of("status", "result");
    /** They tell about the bytes of the first response. */
    private static final Set<String> OF_THE_BYTES =
            Set.of("etag", "content-digest", "repr-digest", "digest", "content-md5");

    private MarkedReplay() {}

    /** The response in this form; or as it is, where it is no success or no JSON. */
    static Response of(Response stored) {
        String result = stored.status() / 100 == 2 ? result(stored) : null;
        if (result == null) {
            return stored;
        }
        Response wrapped = Response.of(stored.status());
        for (Map.Entry<String, List<String>> header : stored.headers().entrySet()) {
            boolean left = OF_THE_BYTES.contains(header.getKey().toLowerCase(Locale.ROOT));
            for (String line : left ? List.<String>of() : header.getValue()) {
                wrapped = wrapped.header(header.getKey(), line);
            }
        }
        return wrapped.body("application/json", "{\"status\":\"already_processed\",\"result\":" + result + "}");
    }

    /** The JSON text of the result, digit for digit; null where the body is none. */
    private static @Nullable String result(Response stored) {
        String type = String.join(",", stored.headers().getOrDefault("Content-Type", List.of()));
        if (!RequestContent.isJson(RequestContent.mediaType(type))
                || stored.headers().containsKey("Content-Encoding")) {
            return null;
        }
        try {
            return Json.parseExact(stored.body()) instanceof Map<?, ?> members
                            && members.keySet().equals(MEMBERS)
                    ? Json.writePlain(members.get("result"))
                    : new String(stored.body(), StandardCharsets.UTF_8);
        } catch (JsonException e) {
            return null;
        }
    }
}
