package dev.idem.agent.tool;

import dev.idem.Call;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.agent.vet.InputField;
import dev.idem.internal.codec.Unfinished;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes tools of {@link Once} methods. */
final class MethodTools {
    private MethodTools() {}

    /** The tools of an object, ordered by name. */
    static List<Tool> of(Object target) {
        List<Tool> tools = new ArrayList<>();
        for (Method method : annotated(target.getClass())) {
            if (!method.trySetAccessible()) {
                throw new IllegalArgumentException(method + " can't be called from here; make it public");
            }
            tools.add(declared(method).run((call, bound) -> invoke(target, method, call, bound)));
        }
        return tools;
    }

    /** The tools that a class declares, without code. */
    static List<Tool> declaredBy(Class<?> type) {
        return annotated(type).stream().map(method -> declared(method).build()).toList();
    }

    private static List<Method> annotated(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                boolean overridden = methods.stream()
                        .anyMatch(below -> below.getName().equals(method.getName())
                                && Arrays.equals(below.getParameterTypes(), method.getParameterTypes()));
                if (method.isAnnotationPresent(Once.class) && !method.isBridge() && !overridden) {
                    methods.add(method);
                }
            }
        }
        methods.sort(Comparator.comparing(Method::getName));
        return methods;
    }

    private static ToolBuilder<MethodBinding.Arguments> declared(Method method) {
        Once once = method.getAnnotation(Once.class);
        ToolDeclaration declaration = new ToolDeclaration(once.name().isEmpty() ? method.getName() : once.name());
        MethodBinding binding = MethodBinding.of(method);
        declaration.binding = binding;
        declaration.schema = binding.schema();
        ToolBuilder<MethodBinding.Arguments> builder =
                new ToolBuilder<>(declaration, vetted -> (MethodBinding.Arguments) vetted.bound());
        return OnceReader.declared(once, builder);
    }

    private static @Nullable Object invoke(Object target, Method method, Call call, MethodBinding.Arguments arguments)
            throws Exception {
        // Not when the tools are made: a service may also have methods that only its own callers use.
        String refusal = Unfinished.refusal(method);
        if (refusal != null) {
            throw new ToolNotCalledException(refusal, null);
        }
        try {
            return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : target, arguments.values(call));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception thrown) {
                throw thrown;
            } else if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** A parameter as a field of the input. */
    static InputField field(Parameter parameter) {
        Field given = parameter.getAnnotation(Field.class);
        String name = given == null || given.value().isEmpty() ? parameter.getName() : given.value();
        if (name.equals(parameter.getName()) && !parameter.isNamePresent()) {
            throw new IllegalArgumentException("the parameters of " + parameter.getDeclaringExecutable()
                    + " have no names; compile with -parameters, or name them with @Field(\"...\")");
        }
        boolean optional = (given != null && given.optional())
                || ArgumentSchema.isOptional(parameter.getParameterizedType(), parameter)
                || ArgumentSchema.isOptional(parameter.getParameterizedType(), parameter.getAnnotatedType());
        String description = given == null ? "" : given.description();
        return new InputField(name, parameter.getParameterizedType(), !optional, description);
    }
}
