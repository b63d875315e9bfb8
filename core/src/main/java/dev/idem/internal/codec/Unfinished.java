package dev.idem.internal.codec;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recognises values that are no results yet: futures and publishers, whose work may go on, and streams, iterators and
 * functions, whose work may not have begun. A future that has completed is one of them, since otherwise the timing would
 * decide.
 *
 * <p>Such a value counts at the top, and in the collections, maps, object arrays, optionals and records that a value is made
 * of, at any depth. Each of these is opened once, and at most {@value #MOST_OPENED} of them: the outer ones first. Records
 * are read by their fields, if their module opens them, so that no code of theirs runs. A function in a record is a part of
 * the record, and a record or an enum is a value, whatever it implements. The fields of other objects are not looked at.
 */
public final class Unfinished {
    private static final int MOST_OPENED = 100_000;

    private static final List<Class<?>> KINDS = List.of(
            CompletionStage.class,
            Future.class,
            Flow.Publisher.class,
            Callable.class,
            Supplier.class,
            BaseStream.class,
            Iterator.class,
            Process.class,
            ProcessHandle.class);

    /** A suspend function of Kotlin that has not ended returns a constant of this enum. */
    private static final String SUSPENDED = "kotlin.coroutines.intrinsics.CoroutineSingletons";

    private static final String FUNCTION_OF_KOTLIN = "kotlin.jvm.functions.Function0";

    /** Types of libraries that need not be on the class path. */
    private static final Set<String> NAMED = Set.of(
            "com.anthropic.core.http.AsyncStreamResponse",
            "com.anthropic.core.http.StreamResponse",
            "com.openai.core.http.AsyncStreamResponse",
            "com.openai.core.http.StreamResponse",
            "dev.langchain4j.service.TokenStream",
            "org.reactivestreams.Publisher",
            "io.smallrye.mutiny.Uni",
            "io.reactivex.SingleSource",
            "io.reactivex.MaybeSource",
            "io.reactivex.CompletableSource",
            "io.reactivex.ObservableSource",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "io.vertx.core.Future",
            SUSPENDED,
            FUNCTION_OF_KOTLIN,
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "okhttp3.Call",
            "retrofit2.Call",
            "scala.concurrent.Future",
            "org.springframework.ai.chat.client.ChatClient$CallResponseSpec",
            "org.springframework.ai.chat.client.ChatClient$StreamResponseSpec",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /**
     * A class of values.
     *
     * @param name of a class whose values are no results
     * @param isFunction whether this is because they are functions
     * @param isOpened whether its values are made of other values
     * @param fields of a record, those that can be read and may hold such a value
     */
    private record Shape(@Nullable String name, boolean isFunction, boolean isOpened, List<Field> fields) {}

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            if (type.isRecord()) {
                return new Shape(null, false, true, fields(type));
            }
            boolean isOpened = Collection.class.isAssignableFrom(type)
                    || Map.class.isAssignableFrom(type)
                    || Object[].class.isAssignableFrom(type)
                    || type == Optional.class;
            boolean isValue =
                    Enum.class.isAssignableFrom(type) && !type.getName().equals(SUSPENDED);
            Class<?> kind = isValue ? null : kind(type).orElse(null);
            if (kind == null) {
                return new Shape(null, false, isOpened, List.of());
            }
            // The class of a lambda, and the hidden ones of the JDK, have no name that a reader knows.
            String name = (Modifier.isPublic(type.getModifiers()) ? type : kind).getSimpleName();
            boolean isFunction = kind == Callable.class
                    || kind == Supplier.class
                    || kind.getName().equals(FUNCTION_OF_KOTLIN);
            return new Shape(
                    ("AEIO".indexOf(name.charAt(0)) < 0 ? "a " : "an ") + name, isFunction, isOpened, List.of());
        }
    };

    private static List<Field> fields(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers())
                            && !field.getType().isPrimitive()
                            && field.getType() != String.class
                            && field.trySetAccessible())
                    .toList();
        } catch (LinkageError e) {
            return List.of(); // the class of a field is missing, so the codec can't read the record either
        }
    }

    private Unfinished() {}

    /** The value in words, such as "a CompletableFuture"; null if it is a result. */
    public static @Nullable String named(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        Shape shape = SHAPES.get(value.getClass());
        if (shape.name() != null || !shape.isOpened()) {
            return shape.name();
        }
        String inside = inside(value);
        return inside == null ? null : container(value) + " with " + inside + " in it";
    }

    private static @Nullable String inside(Object value) {
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> unopened = new ArrayDeque<>();
        for (Object opened = value; opened != null; opened = unopened.poll()) {
            try {
                for (Iterator<?> parts = parts(opened); parts.hasNext(); ) {
                    Object part = parts.next();
                    if (part == null) {
                        continue;
                    }
                    Shape shape = SHAPES.get(part.getClass());
                    if (shape.name() != null && !(shape.isFunction() && opened instanceof Record)) {
                        return shape.name();
                    } else if (shape.isOpened() && known.size() < MOST_OPENED && known.add(part)) {
                        unopened.add(part);
                    }
                }
            } catch (RuntimeException e) {
                // Such as a collection of a closed session: it can't be stored, and the codec says why.
            }
        }
        return null;
    }

    private static Iterator<?> parts(Object opened) {
        if (opened instanceof Optional<?> optional) {
            return optional.stream().iterator();
        } else if (opened instanceof Collection<?> collection) {
            return collection.iterator();
        } else if (opened instanceof Map<?, ?> map) {
            return map.values().iterator();
        } else if (opened instanceof Object[] array) {
            return Arrays.asList(array).iterator();
        }
        return SHAPES.get(opened.getClass()).fields().stream()
                .map(field -> read(field, opened))
                .iterator();
    }

    private static @Nullable Object read(Field field, Object record) {
        try {
            return field.get(record);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String container(Object value) {
        return value instanceof Optional
                ? "an Optional"
                : value instanceof Collection
                        ? "a collection"
                        : value instanceof Map ? "a map" : value instanceof Record ? "a record" : "an array";
    }

    /** The first such type in a declared type, in words; null if values of this type are results. */
    public static @Nullable String declared(Type type) {
        if (type instanceof Class<?> known) {
            return known.isArray()
                    ? declared(known.getComponentType())
                    : SHAPES.get(known).name();
        } else if (type instanceof GenericArrayType array) {
            return declared(array.getGenericComponentType());
        } else if (type instanceof WildcardType wildcard) {
            return first(Arrays.stream(wildcard.getUpperBounds()));
        } else if (type instanceof ParameterizedType generic) {
            return first(
                    Stream.concat(Stream.of(generic.getRawType()), Arrays.stream(generic.getActualTypeArguments())));
        }
        return null;
    }

    private static @Nullable String first(Stream<Type> types) {
        return types.map(Unfinished::declared)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Why this method can't be a tool, and what to do; null if its result is there when it returns. */
    public static @Nullable String refusal(Method method) {
        String unfinished = declared(method.getGenericReturnType());
        return unfinished == null
                ? null
                : "tool method " + method.getName() + " returns " + unfinished
                        + ", so it returns before its work has ended, and nothing would tell whether that went well. Wait "
                        + "for the work in the method, and return its result";
    }

    private static Optional<Class<?>> kind(@Nullable Class<?> type) {
        if (type == null) {
            return Optional.empty();
        }
        for (Class<?> kind : KINDS) {
            if (kind.isAssignableFrom(type)) {
                return Optional.of(kind);
            }
        }
        if (NAMED.contains(type.getName())) {
            return Optional.of(type);
        }
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .flatMap(above -> kind(above).stream())
                .findFirst();
    }
}
