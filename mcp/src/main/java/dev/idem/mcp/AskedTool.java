package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Probe.Verdict;
import dev.idem.mcp.ToolRule.ProbeRule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Asks another tool of the server whether a call took effect. */
record AskedTool(Upstream upstream, Message call) {
    private static final Pattern ARGUMENT = Pattern.compile("\\{([^{}]+)\\}");
    private static final long SECONDS = 30;

    /** The verdict. An exception counts as unknown. */
    Verdict<@Nullable Object> ask(ProbeRule rule, Map<String, @Nullable Object> arguments) throws Exception {
        Message request = request(rule, arguments);
        Message response = upstream.send(request, new HostCall(request)).get(SECONDS, TimeUnit.SECONDS);
        if (response.isError() || Boolean.TRUE.equals(response.result("isError"))) {
            return Verdict.unknown();
        }
        Object found = Pointer.find(content(response), rule.found());
        if (found != null) {
            String text = "It took effect earlier; '" + rule.tool() + "' found: " + Json.write(found);
            return Verdict.happened(Json.write(Map.of("content", List.of(Map.of("type", "text", "text", text)))));
        }
        return rule.absentIsProof() ? Verdict.notExecuted() : Verdict.unknown();
    }

    private Message request(ProbeRule rule, Map<String, @Nullable Object> arguments) throws Message.Malformed {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        params.put("name", rule.tool());
        params.put("arguments", filled(rule.arguments(), arguments));
        if (call.param("_meta") instanceof Map<?, ?> meta) {
            // A server without sessions finds the version of the protocol here.
            Map<String, @Nullable Object> rest = new LinkedHashMap<>();
            meta.forEach((name, value) -> {
                if (String.valueOf(name).startsWith("io.modelcontextprotocol/")) {
                    rest.put(String.valueOf(name), value);
                }
            });
            params.put("_meta", rest);
        }
        Map<String, @Nullable Object> request = new LinkedHashMap<>();
        request.put("jsonrpc", "2.0");
        request.put("id", 0);
        request.put("method", "tools/call");
        request.put("params", params);
        return Message.ofHost(Json.write(request).getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable Object filled(@Nullable Object template, Map<String, @Nullable Object> arguments) {
        if (template instanceof Map<?, ?> members) {
            Map<String, @Nullable Object> filled = new LinkedHashMap<>();
            members.forEach((name, value) -> filled.put(String.valueOf(name), filled(value, arguments)));
            return filled;
        } else if (template instanceof List<?> elements) {
            List<@Nullable Object> filled = new ArrayList<>();
            elements.forEach(each -> filled.add(filled(each, arguments)));
            return filled;
        }
        if (!(template instanceof String text)) {
            return template;
        }
        Matcher whole = ARGUMENT.matcher(text);
        return whole.matches()
                ? arguments.get(whole.group(1))
                : whole.replaceAll(one -> Matcher.quoteReplacement(String.valueOf(arguments.get(one.group(1)))));
    }

    /** What the pointer looks into: structured content, else a text that is JSON, else the result itself. */
    private static @Nullable Object content(Message response) {
        Object structured = response.result("structuredContent");
        if (structured != null) {
            return structured;
        }
        if (response.result("content") instanceof List<?> blocks
                && !blocks.isEmpty()
                && blocks.get(0) instanceof Map<?, ?> first
                && first.get("text") instanceof String text) {
            try {
                return Json.parse(text);
            } catch (JsonException noJson) {
                return response.members().get("result");
            }
        }
        return response.members().get("result");
    }
}
