package dev.idem.mcp.guard;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Probe.Verdict;
import dev.idem.internal.json.JsonPointer;
import dev.idem.mcp.guard.ToolRule.ProbeRule;
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
public record AskedTool(Upstream upstream, HostCall host) {
    public static final Pattern ARGUMENT = Pattern.compile("\\{([^{}]+)\\}");
    private static final long SECONDS = 30;

    /** The verdict. An exception counts as unknown. */
    Verdict<@Nullable Object> ask(ProbeRule rule) throws Exception {
        Map<?, ?> arguments = host.request().param("arguments") instanceof Map<?, ?> map ? map : Map.of();
        Message request = request(rule, arguments);
        Message response = upstream.send(request, host.aside(request)).get(SECONDS, TimeUnit.SECONDS);
        Object kind = response.result("resultType");
        boolean complete = kind == null || kind.equals("complete");
        Object content = content(response);
        if (response.isError() || Boolean.TRUE.equals(response.result("isError")) || !complete || content == null) {
            return Verdict.unknown();
        }
        Object found = JsonPointer.find(content, rule.found());
        if (found != null) {
            String text = "It took effect earlier; '" + rule.tool() + "' found: " + Json.write(found);
            return Verdict.happened(Json.write(Map.of("content", List.of(Map.of("type", "text", "text", text)))));
        }
        // Silence is no proof: the place in which it would be found must be there.
        String around = rule.found().substring(0, rule.found().lastIndexOf('/'));
        boolean looked = around.isEmpty() ? content instanceof Map : JsonPointer.find(content, around) != null;
        return rule.absentIsProof() && looked ? Verdict.notExecuted() : Verdict.unknown();
    }

    private Message request(ProbeRule rule, Map<?, ?> arguments) throws Message.Malformed {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        params.put("name", rule.tool());
        params.put("arguments", filled(rule.arguments(), arguments));
        if (host.request().param("_meta") instanceof Map<?, ?> meta) {
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

    private static @Nullable Object filled(@Nullable Object template, Map<?, ?> arguments) {
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
                ? given(whole.group(1), arguments)
                : whole.replaceAll(one -> Matcher.quoteReplacement(String.valueOf(given(one.group(1), arguments))));
    }

    /** Without the argument the tool would search for something else. */
    private static Object given(String name, Map<?, ?> arguments) {
        Object value = arguments.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the call in doubt has no argument '" + name + "'");
        }
        return value;
    }

    /** The value that the pointer looks into: structured content, else a text that is JSON; null if there is neither. */
    private static @Nullable Object content(Message response) {
        Object structured = response.result("structuredContent");
        if (structured == null
                && response.result("content") instanceof List<?> blocks
                && !blocks.isEmpty()
                && blocks.get(0) instanceof Map<?, ?> first
                && first.get("text") instanceof String text) {
            try {
                return Json.parse(text);
            } catch (JsonException noJson) {
                return null;
            }
        }
        return structured;
    }
}
