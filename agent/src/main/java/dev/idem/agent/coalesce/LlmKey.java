package dev.idem.agent.coalesce;

import dev.idem.Json;
import dev.idem.Key;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the key of a call to a model. Canonical: the order of names and the types of numbers make no difference, the
 * order of messages does.
 *
 * <p>Calls that share a key share one answer, also where the model would have given each another one.
 */
public final class LlmKey {
    private static final String OPERATION = "llm";

    private LlmKey() {}

    /**
     * From the model, its messages and the parameters that change its answer: temperature, tools, system text.
     *
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static String of(String model, @Nullable Object messages, Map<String, ?> parameters) {
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        parts.put("messages", messages);
        parts.put("parameters", parameters);
        return Key.derive(model, OPERATION, parts).value();
    }

    /**
     * From the JSON body of a request, all of it.
     *
     * @throws dev.idem.JsonException if it is not JSON
     */
    public static String ofRequest(String body) {
        return Key.derive("", OPERATION, Json.parse(body)).value();
    }
}
