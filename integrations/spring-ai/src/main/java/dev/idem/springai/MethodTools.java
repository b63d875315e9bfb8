package dev.idem.springai;

import dev.idem.agent.session.ToolGate;
import dev.idem.agent.tool.Guarded;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.ai.tool.support.ToolUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** The {@code @Tool} methods of an object. */
final class MethodTools {
    private MethodTools() {}

    static ToolCallbackProvider of(Object target) {
        return MethodToolCallbackProvider.builder().toolObjects(target).build();
    }

    /** What {@link Guarded} says on them, by the names that Spring AI gives them. */
    static Map<String, UnaryOperator<ToolBuilder<ToolInput>>> guarded(Object target) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> found = new LinkedHashMap<>();
        for (Method method : ReflectionUtils.getDeclaredMethods(AopUtils.getTargetClass(target))) {
            if (AnnotationUtils.findAnnotation(method, Tool.class) == null) {
                continue;
            }
            ToolGate.requireWaits(method);
            Guarded guarded = AnnotationUtils.findAnnotation(method, Guarded.class);
            if (guarded != null) {
                found.put(ToolUtils.getToolName(method), tool -> tool.guarded(guarded));
            }
        }
        return found;
    }
}
