package dev.idem.spring;

import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.TypeRef;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.RunningTool;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Vetted;
import dev.idem.agent.tool.Vetting;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.time.temporal.Temporal;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/** A bean method that runs once for its key. */
final class OnceMethod {
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Class<?> type;
    private final Method method;
    private final Tool declared;
    private final @Nullable Expression key;
    private final Operation<@Nullable Object> operation;
    private final Once once;
    private final Set<String> toolNames;
    private final boolean labelled;

    private OnceMethod(
            Class<?> type,
            Method method,
            Tool declared,
            @Nullable Expression key,
            Operation<@Nullable Object> operation,
            Once once) {
        this.type = type;
        this.method = method;
        this.declared = declared;
        this.key = key;
        this.operation = operation;
        this.once = once;
        this.toolNames = toolNames(once, method);
        this.labelled = once.labels().length > 0;
    }

    /**
     * Reads the declaration of a method.
     *
     * @throws IllegalStateException when the method can't be guarded; the message says what to do
     */
    static OnceMethod of(Idem idem, String beanName, Class<?> type, Method method, Once once) {
        OnceChecks.requireResult(type, method);
        String bean = beanName.contains("#") ? ClassUtils.getUserClass(type).getSimpleName() : beanName;
        String name = once.name().isEmpty()
                ? bean.replaceFirst("^scopedTarget\\.", "") + "." + method.getName()
                : once.name();
        try {
            Tool declared = Tool.named(name).once(once).build();
            requireKnown(once, method);
            Operation<@Nullable Object> operation =
                    idem.operation(name).policy(declared.policy()).returning(TypeRef.of(ResultType.of(type, method)));
            return new OnceMethod(type, method, declared, key(once, method), operation, once);
        } catch (IllegalArgumentException e) {
            throw OnceChecks.refused(
                    type, method, String.valueOf(e.getMessage()), "Correct the annotation or the method");
        }
    }

    private static void requireKnown(Once once, Method method) {
        if (once.approval() || !once.sharedIn().isEmpty() || once.makesStale().length > 0) {
            throw new IllegalArgumentException(
                    "approval, sharedIn and makesStale need a session of an agent, and a bean has none");
        }
        Set<String> known = new LinkedHashSet<>();
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType() == Call.class) {
                continue;
            } else if (!parameter.isNamePresent() && once.key().isEmpty()) {
                throw new IllegalArgumentException("its parameters have no names; compile with -parameters");
            }
            known.add(parameter.getName());
        }
        if (known.isEmpty() && once.key().isEmpty()) {
            throw new IllegalArgumentException(
                    "it has no parameters, so all its calls are the same call, and only the first would run; name what"
                            + " tells them apart, such as key = \"T(java.time.LocalDate).now()\"");
        }
        Class<?> record = record(method);
        if (record != null) {
            requireKnown(
                    once,
                    "its only parameter is the record " + record.getSimpleName() + ", which has no field '",
                    Stream.of(record.getRecordComponents())
                            .map(RecordComponent::getName)
                            .toList(),
                    "its fields are ");
        } else {
            requireKnown(once, "it has no parameter '", known, "its parameters are ");
        }
    }

    private static void requireKnown(Once once, String missing, Collection<String> known, String they) {
        for (String[] names : new String[][] {once.identity(), once.content(), once.ignore(), once.labels()}) {
            for (String field : names) {
                if (!known.contains(field)) {
                    throw new IllegalArgumentException(missing + field + "'; " + they + known
                            + (known.contains("arg0") ? ". Compile with -parameters, so that they have names" : ""));
                }
            }
        }
    }

    /** The only parameter, if it is a record: it is then the input itself, as for tools. */
    private static @Nullable Class<?> record(Method method) {
        Class<?> found = null;
        for (Class<?> each : method.getParameterTypes()) {
            if (each != Call.class) {
                if (found != null || !each.isRecord()) {
                    return null;
                }
                found = each;
            }
        }
        return found;
    }

    private static @Nullable Expression key(Once once, Method method) {
        if (once.key().isEmpty()) {
            return null;
        }
        try {
            SpelExpression key = new SpelExpressionParser().parseRaw(once.key());
            requireVariables(key.getAST(), once.key(), method);
            return key;
        } catch (ParseException e) {
            throw new IllegalArgumentException("its key is not an expression of Spring: " + e.getMessage(), e);
        }
    }

    /** Spring takes a variable that does not exist for null. */
    private static void requireVariables(SpelNode node, String key, Method method) {
        if (node instanceof VariableReference) {
            String name = node.toStringAST().substring(1);
            @Nullable String[] names = NAMES.getParameterNames(method);
            boolean byNumber =
                    name.matches("[ap][0-9]+") && Integer.parseInt(name.substring(1)) < method.getParameterCount();
            if (!byNumber
                    && !List.of("this", "root").contains(name)
                    && (names == null || !List.of(names).contains(name))) {
                throw new IllegalArgumentException("its key '" + key + "': there is no parameter '" + name + "'; "
                        + (names == null
                                ? "its parameters have no names: write #p0 for the first one, or compile with -parameters"
                                : "they are " + List.of(names)));
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireVariables(node.getChild(i), key, method);
        }
    }

    /** The names under which frameworks may have the method as a tool. */
    private static Set<String> toolNames(Once once, Method method) {
        Set<String> names = new HashSet<>(Set.of(method.getName(), once.name()));
        for (Annotation annotation : method.getAnnotations()) {
            if (annotation.annotationType().getSimpleName().equals("Tool")
                    && AnnotationUtils.getValue(annotation, "name") instanceof String name) {
                names.add(name);
            }
        }
        return names;
    }

    String operation() {
        return declared.name();
    }

    // The result of the method may be null, and a future goes to the caller.
    @SuppressWarnings({"NullAway", "FutureReturnValueIgnored"})
    @Nullable
    Object invoke(MethodInvocation invocation) throws Exception {
        // A session of an agent guards the call already, unless the key is one for all sessions.
        if (key == null && RunningTool.enters(toolNames, once)) {
            return committed(invocation, null);
        }
        Operation<@Nullable Object> call = identified(invocation);
        if (!CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            try {
                return call.run(running -> committed(invocation, running));
            } catch (SilentRollbackException e) {
                return e.result();
            }
        }
        return call.attemptStage(running -> stage(invocation, running)).thenCompose(OnceMethod::value);
    }

    private @Nullable Object committed(MethodInvocation invocation, @Nullable Call running) throws Exception {
        OwnTransaction own = OwnTransaction.of(invocation);
        Object result = proceed(invocation, running);
        if (own.isRolledBack()) {
            throw rolledBack(result, running);
        }
        return result;
    }

    @SuppressWarnings("unchecked") // its type is the method's, which was checked
    private CompletionStage<@Nullable Object> stage(MethodInvocation invocation, Call running) throws Exception {
        OwnTransaction own = OwnTransaction.of(invocation);
        CompletionStage<@Nullable Object> stage = (CompletionStage<@Nullable Object>)
                Objects.requireNonNull(proceed(invocation, running), "the method returned no future");
        return own.isRolledBack()
                ? stage.thenCompose(result -> CompletableFuture.failedFuture(rolledBack(result, running)))
                : stage;
    }

    private static CompletableFuture<@Nullable Object> value(Outcome<@Nullable Object> outcome) {
        if (outcome instanceof Outcome.Valued<@Nullable Object> valued) {
            return CompletableFuture.completedFuture(valued.value());
        }
        return outcome.failure() instanceof SilentRollbackException rolledBack
                ? CompletableFuture.completedFuture(rolledBack.result())
                : CompletableFuture.failedFuture(Objects.requireNonNull(outcome.failure()));
    }

    /** The caller gets the result, and the entry is in doubt, whatever the classifiers of the policy would say. */
    private SilentRollbackException rolledBack(@Nullable Object result, @Nullable Call running) {
        SilentRollbackException thrown = new SilentRollbackException(declared.name(), result);
        if (running != null) {
            running.ambiguous(thrown);
            String warning = running.address() + " is in doubt, and its caller gets a result: " + thrown.getMessage();
            System.getLogger("dev.idem.spring").log(System.Logger.Level.WARNING, warning);
        }
        return thrown;
    }

    private Operation<@Nullable Object> identified(MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        boolean named = declared.fields().identity().size()
                        + declared.fields().content().size()
                > 0;
        Operation<@Nullable Object> call = operation;
        if (key != null) {
            Object root = Objects.requireNonNullElse(invocation.getThis(), this);
            call = call.id(text(evaluated(key, new MethodBasedEvaluationContext(root, method, arguments, NAMES))));
        }
        if (key == null || named) {
            Vetted vetted = vetted(arguments);
            call = call.identity(vetted.identity());
            call = vetted.content() == null ? call : call.content(vetted.content());
        }
        for (Map.Entry<String, String> label : labels(arguments).entrySet()) {
            call = call.label(label.getKey(), label.getValue());
        }
        return call;
    }

    private @Nullable Object evaluated(Expression expression, EvaluationContext context) {
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalArgumentException(
                    "the key of " + named() + ", '" + once.key() + "', can't be computed from these arguments: "
                            + e.getMessage() + ". Nothing ran",
                    e);
        }
    }

    private String named() {
        return type.getSimpleName() + "." + method.getName();
    }

    private Map<String, String> labels(@Nullable Object[] arguments) {
        return labelled ? declared.labels(vetted(arguments)) : Map.of();
    }

    private String text(@Nullable Object value) {
        boolean plain = value instanceof CharSequence
                || value instanceof Number
                || value instanceof Character
                || value instanceof UUID
                || value instanceof Enum<?>
                || value instanceof Temporal;
        if (value == null || !plain || value.toString().isBlank()) {
            String found = value == null
                    ? "null"
                    : plain ? "empty" : "of the type " + value.getClass().getSimpleName();
            throw new IllegalArgumentException("the key of " + named() + " is " + found
                    + ", and has to be a text, a number, a UUID or a date. Nothing ran");
        }
        return value.toString();
    }

    private Vetted vetted(@Nullable Object[] arguments) {
        Vetting vetting = declared.vet(fields(arguments));
        if (vetting instanceof Vetting.Fits fits) {
            return fits.vetted();
        }
        throw noForm(null);
    }

    private Map<String, @Nullable Object> fields(@Nullable Object[] arguments) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        Parameter[] parameters = method.getParameters();
        boolean isRecord = record(method) != null;
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i].getType() != Call.class) {
                fields.put(parameters[i].getName(), arguments[i]);
                if (isRecord && arguments[i] != null) {
                    return components(arguments[i]);
                }
            }
        }
        return fields;
    }

    @SuppressWarnings("unchecked") // the JSON form of a record is an object
    private Map<String, @Nullable Object> components(Object one) {
        try {
            return (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parseExact(Json.write(one)));
        } catch (JsonException e) {
            throw noForm(e);
        }
    }

    private IllegalArgumentException noForm(@Nullable Exception cause) {
        String why = key != null
                ? "the arguments of " + named() + " that identity, content or labels name can't be compared: one has no"
                        + " JSON form. Name only texts, numbers, records and collections of them"
                : "the key of " + named() + " can't be derived from these arguments: an argument has no JSON form, or"
                        + " nothing tells this call from another. Name the key, such as @Once(key = \"#order.id\"), or"
                        + " the fields that count: identity = {...}";
        return new IllegalArgumentException(why + ". Nothing ran", cause);
    }

    private static @Nullable Object proceed(MethodInvocation invocation, @Nullable Call running) throws Exception {
        if (running != null && invocation instanceof ProxyMethodInvocation proxied) {
            @Nullable Object[] arguments = invocation.getArguments().clone();
            Class<?>[] types = invocation.getMethod().getParameterTypes();
            for (int i = 0; i < types.length; i++) {
                arguments[i] = types[i] == Call.class ? running : arguments[i];
            }
            proxied.setArguments(arguments);
        }
        try {
            return invocation.proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
