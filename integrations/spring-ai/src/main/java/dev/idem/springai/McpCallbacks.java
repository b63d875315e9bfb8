package dev.idem.springai;

import dev.idem.Policy;
import dev.idem.agent.tool.McpHints;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.util.ReflectionUtils;

/**
 * Reads the hints of an MCP server from a private field of Spring AI's callbacks. The MCP classes need not be on the
 * class path.
 */
final class McpCallbacks {
    private McpCallbacks() {}

    /** The policy by the hints of the server; unset where there are none, or they can't be read. */
    static Policy hinted(ToolCallback bare) {
        if (!bare.getClass().getPackageName().equals("org.springframework.ai.mcp")) {
            return Policy.unset();
        }
        try {
            Object annotations = call(read(bare, "tool"), "annotations");
            Map<String, @Nullable Object> hints = new HashMap<>();
            for (String name : List.of("readOnlyHint", "idempotentHint", "destructiveHint")) {
                hints.put(name, call(annotations, name));
            }
            return McpHints.policy(hints);
        } catch (RuntimeException e) {
            return Policy.unset();
        }
    }

    private static @Nullable Object read(Object from, String name) {
        Field field = ReflectionUtils.findField(from.getClass(), name);
        if (field == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, from);
    }

    private static @Nullable Object call(@Nullable Object on, String name) {
        Method method = on == null ? null : ReflectionUtils.findMethod(on.getClass(), name);
        return method == null ? null : ReflectionUtils.invokeMethod(method, on);
    }
}
