package dev.idem.mcpsdk;

import dev.idem.Json;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.ToolAnswer;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of tools, as the ledger stores them and as clients get them. */
record KeptResults(McpJsonMapper mapper) {
    /** The stored form: JSON text, or a value that is recorded as not replayable. */
    Object toKeep(CallToolResult result) {
        try {
            String json = mapper.writeValueAsString(result);
            read(json);
            return json;
        } catch (IOException | RuntimeException e) {
            return new Unwritable(String.valueOf(e.getMessage()));
        }
    }

    /** The first result, with a mark that clients see and models do not. */
    CallToolResult replayed(ToolAnswer answer) {
        CallToolResult first = again(answer.value());
        Map<String, Object> meta = new LinkedHashMap<>();
        if (first.meta() == null) {
            meta.putAll(McpCalls.about(answer));
        } else {
            meta.putAll(first.meta());
            meta.putIfAbsent(McpCalls.STATUS, answer.status().word());
        }
        return new CallToolResult(first.content(), first.isError(), first.structuredContent(), meta);
    }

    /** A result in words. */
    static CallToolResult words(String text, boolean error, @Nullable Map<String, Object> meta) {
        return new CallToolResult(List.of(TextContent.builder(text).build()), error, null, meta);
    }

    /** A result with one more text for the model. */
    static CallToolResult with(CallToolResult result, String more) {
        List<Content> content = new ArrayList<>(result.content());
        content.add(TextContent.builder(more).build());
        return new CallToolResult(content, result.isError(), result.structuredContent(), result.meta());
    }

    /** A kept result. A result that a person gave may be any value. */
    private CallToolResult again(@Nullable Object value) {
        String json = value instanceof String text ? text : Json.write(value);
        try {
            return read(json);
        } catch (IOException | RuntimeException e) {
            // It is words, and not a result of a tool.
            return words(json, false, null);
        }
    }

    /** The SDK would round long numbers, so the structured content is read digit for digit. */
    private CallToolResult read(String json) throws IOException {
        if (!(Json.parseExact(json) instanceof Map<?, ?> members) || !members.containsKey("content")) {
            throw new IOException("it is not the result of a tool");
        }
        CallToolResult result = mapper.readValue(json, CallToolResult.class);
        return new CallToolResult(result.content(), result.isError(), members.get("structuredContent"), result.meta());
    }

    /** Stands for a result without a JSON form. The ledger can't encode it, and says why. */
    private static final class Unwritable extends AbstractList<Object> {
        private final String why;

        Unwritable(String why) {
            this.why = why;
        }

        @Override
        public Object get(int index) {
            throw new IllegalStateException(why);
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public String toString() {
            return "a result that can't be written as JSON";
        }
    }
}
