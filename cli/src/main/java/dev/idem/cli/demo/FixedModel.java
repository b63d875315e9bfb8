package dev.idem.cli.demo;

import java.util.List;
import java.util.Map;

/** The model: a fixed list of tool calls, one for each time it is asked. It is all that is scripted here. */
final class FixedModel {
    /** A tool call. */
    record Step(String tool, Map<String, Object> arguments) {}

    static final List<Step> STEPS = List.of(
            new Step("charge", Map.of("customer", "cus_1", "cents", 4200)),
            new Step("send_email", Map.of("to", "ann@example.com", "subject", "Your order", "body", "Thank you!")),
            new Step("create_order", Map.of("customer", "cus_1", "item", "tea")));

    private FixedModel() {}

    /** What to do after so many results: the next call, or nothing. */
    static Map<String, Object> next(int results) {
        if (results >= STEPS.size()) {
            return Map.of("done", true);
        }
        Step step = STEPS.get(results);
        return Map.of("tool", step.tool(), "arguments", step.arguments());
    }
}
