package dev.idem.conformance;

import dev.idem.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What happens to a request and its answer. */
interface Fault {
    void handle(Exchange exchange) throws InterruptedException;

    /** No fault. */
    Fault NONE = exchange -> exchange.answer(exchange.ask());

    /** The request never arrives. */
    Fault LOSE_REQUEST = exchange -> {};

    /** The step is done, and its answer never arrives. */
    Fault LOSE_ANSWER = Exchange::ask;

    /** The server dies before the step. */
    Fault DIE_BEFORE = exchange -> exchange.server().die();

    /** The server dies after the step, before its answer. */
    Fault DIE_AFTER = exchange -> {
        exchange.ask();
        exchange.server().die();
    };

    /** The step is not done, and the answer is an error. */
    static Fault error(String code, int number) {
        return exchange -> exchange.answer(error(exchange.request().id(), code, number));
    }

    /** The step is done, and the answer is an error. */
    static Fault errorAfter(String code, int number) {
        return exchange -> {
            exchange.ask();
            exchange.answer(error(exchange.request().id(), code, number));
        };
    }

    private static String error(@Nullable Object id, String code, int number) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        answer.put("id", id);
        answer.put("error", Map.of("code", number, "message", "a planned fault", "data", Map.of("code", code)));
        return Json.writePlain(answer);
    }

    /** The answer is changed on its way. */
    static Fault changing(Consumer<Map<String, @Nullable Object>> change) {
        return exchange -> exchange.answer(changed(exchange.ask(), change));
    }

    /** An answer with other members. */
    @SuppressWarnings("unchecked")
    static String changed(String line, Consumer<Map<String, @Nullable Object>> change) {
        Object parsed = Json.parse(line);
        if (!(parsed instanceof Map<?, ?> all) || !(all.get("result") instanceof Map<?, ?> before)) {
            return line;
        }
        Map<String, @Nullable Object> result = new LinkedHashMap<>((Map<String, @Nullable Object>) before);
        change.accept(result);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>((Map<String, @Nullable Object>) all);
        answer.put("result", result);
        return Json.writePlain(answer);
    }
}
