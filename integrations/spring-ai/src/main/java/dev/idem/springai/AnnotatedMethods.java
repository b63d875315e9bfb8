package dev.idem.springai;

import dev.idem.agent.session.AdapterSessions;
import dev.idem.agent.tool.Once;
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
final class AnnotatedMethods {
    private AnnotatedMethods() {}

    static ToolCallbackProvider callbacks(Object target) {
        return MethodToolCallbackProvider.builder().toolObjects(target).build();
    }

    /** The declarations of {@link Once}, by the names that Spring AI gives the methods. */
    static Map<String, UnaryOperator<ToolBuilder<ToolInput>>> declarations(Object target) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> found = new LinkedHashMap<>();
        for (Method method : ReflectionUtils.getDeclaredMethods(AopUtils.getTargetClass(target))) {
            if (AnnotationUtils.findAnnotation(method, Tool.class) == null) {
                continue;
            }
            AdapterSessions.requireWaits(method);
            Once once = AnnotationUtils.findAnnotation(method, Once.class);
            if (once != null) {
                found.put(ToolUtils.getToolName(method), tool -> tool.once(once));
            }
        }
        return found;
    }
}
