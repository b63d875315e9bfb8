package dev.idem.examples.checkout;

import dev.idem.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A model without memory, like all of them: it looks at the conversation, does the next step, and stops where it was told
 * that nobody knows. Its words differ with every request.
 */
final class ScriptedModel {
    private int requests;

    String answer(Map<?, ?> request) {
        requests++;
        List<?> messages = (List<?>) request.get("messages");
        String question = (String) ((Map<?, ?>) messages.get(0)).get("content");
        String customer = question.substring(question.lastIndexOf(' ') + 1);
        String last = lastResult(messages);
        if (last.toLowerCase(Locale.ROOT).contains("it is unknown")) {
            return says("stopped: " + last);
        }
        int steps = (messages.size() - 1) / 2;
        return switch (steps) {
            case 0 -> calls("charge", Map.of("cents", 4200, "customer", customer));
            case 1 ->
                calls(
                        "send_email",
                        Map.of("to", customer, "subject", "Your order", "body", "Thank you! (" + requests + ")"));
            case 2 -> calls("create_order", Map.of("customer", customer, "item", "a teapot"));
            default -> says("done");
        };
    }

    /** A model that has got stuck: it charges, again and again, until it is told that this is done. */
    String loops(Map<?, ?> request) {
        requests++;
        String last = lastResult((List<?>) request.get("messages"));
        return last.contains("do not call it again")
                ? says("stopped: " + last)
                : calls("charge", Map.of("cents", 4200, "customer", "cus_1"));
    }

    private static String lastResult(List<?> messages) {
        Object content = ((Map<?, ?>) messages.get(messages.size() - 1)).get("content");
        return content instanceof List<?> blocks ? String.valueOf(((Map<?, ?>) blocks.get(0)).get("content")) : "";
    }

    private String calls(String tool, Map<String, ?> input) {
        return message(Map.of("type", "tool_use", "id", "toolu_" + requests, "name", tool, "input", input), "tool_use");
    }

    private String says(String text) {
        return message(Map.of("type", "text", "text", text), "end_turn");
    }

    private String message(Map<String, ?> block, String stopReason) {
        return Json.write(Map.of(
                "id",
                "msg_" + requests,
                "type",
                "message",
                "role",
                "assistant",
                "model",
                "scripted",
                "content",
                List.of(block),
                "stop_reason",
                stopReason,
                "usage",
                Map.of("input_tokens", 1, "output_tokens", 1)));
    }
}
