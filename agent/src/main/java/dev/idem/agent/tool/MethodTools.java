package dev.idem.agent.tool;

import dev.idem.Call;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.agent.vet.InputField;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes tools of {@link Guarded} methods. */
final class MethodTools {
    private MethodTools() {}

    /** The tools of an object, ordered by name. */
    static List<Tool> of(Object target) {
        List<Tool> tools = new ArrayList<>();
        for (Method method : guarded(target.getClass())) {
            if (!method.trySetAccessible()) {
                throw new IllegalArgumentException(method + " can't be called from here; make it public");
            }
            tools.add(declared(method).run((call, bound) -> invoke(target, method, call, bound)));
        }
        return tools;
    }

    /** The tools that a class declares, without code. */
    static List<Tool> declaredBy(Class<?> type) {
        return guarded(type).stream().map(method -> declared(method).build()).toList();
    }

    private static List<Method> guarded(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                boolean overridden = methods.stream()
                        .anyMatch(below -> below.getName().equals(method.getName())
                                && Arrays.equals(below.getParameterTypes(), method.getParameterTypes()));
                if (method.isAnnotationPresent(Guarded.class) && !method.isBridge() && !overridden) {
                    methods.add(method);
                }
            }
        }
        methods.sort(Comparator.comparing(Method::getName));
        return methods;
    }

    private static ToolBuilder<MethodBinding.Arguments> declared(Method method) {
        Guarded guarded = method.getAnnotation(Guarded.class);
        Declaration declaration = new Declaration(guarded.name().isEmpty() ? method.getName() : guarded.name());
        MethodBinding binding = MethodBinding.of(method);
        declaration.binding = binding;
        declaration.schema = binding.schema();
        ToolBuilder<MethodBinding.Arguments> builder =
                new ToolBuilder<>(declaration, vetted -> (MethodBinding.Arguments) vetted.bound());
        return declared(guarded, builder);
    }

    /** What the annotation says, added to a tool. */
    static <I> ToolBuilder<I> declared(Guarded guarded, ToolBuilder<I> tool) {
        ToolBuilder<I> builder =
                tool.tags(guarded.tags()).labels(guarded.labels()).definiteOn(guarded.definiteOn());
        for (SideEffect sideEffect : guarded.value()) {
            builder = builder.sideEffect(sideEffect);
        }
        builder = guarded.identity().length == 0 ? builder : builder.identity(guarded.identity());
        builder = guarded.content().length == 0 ? builder : builder.content(guarded.content());
        builder = guarded.ignore().length == 0 ? builder : builder.ignore(guarded.ignore());
        builder = guarded.description().isEmpty() ? builder : builder.description(guarded.description());
        builder = guarded.approval() ? builder.approval() : builder;
        builder = timed(builder, guarded.ttl(), builder::ttl);
        builder = timed(builder, guarded.retention(), builder::retention);
        builder = timed(builder, guarded.timeLimit(), builder::timeLimit);
        builder = guarded.sharedIn().isEmpty() ? builder : builder.sharedIn(guarded.sharedIn());
        if (guarded.passesKeyTo().isEmpty() != guarded.remembersFor().isEmpty()) {
            throw new IllegalArgumentException(
                    "@Guarded of tool '" + tool.name() + "' names only one of passesKeyTo and "
                            + "remembersFor, and neither is presumed: write passesKeyTo = \"Stripe\", remembersFor = \"PT24H\", "
                            + "with the time that the remote promises to remember a key");
        }
        return guarded.passesKeyTo().isEmpty()
                ? builder
                : builder.passesKeyTo(new RemoteKeys(guarded.passesKeyTo(), Duration.parse(guarded.remembersFor())));
    }

    private static <I> ToolBuilder<I> timed(
            ToolBuilder<I> builder, String iso, Function<Duration, ToolBuilder<I>> change) {
        return iso.isEmpty() ? builder : change.apply(Duration.parse(iso));
    }

    private static @Nullable Object invoke(Object target, Method method, Call call, MethodBinding.Arguments arguments)
            throws Exception {
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
