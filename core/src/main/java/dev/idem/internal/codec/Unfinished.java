package dev.idem.internal.codec;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
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
 * <p>Such a value counts at the top, in an optional, and as an element of a collection, a map or an array. A record and an
 * enum are values, whatever they implement, and what a record or a bean holds is not looked at.
 */
public final class Unfinished {
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

    /** Types of libraries that need not be on the class path. */
    private static final Set<String> NAMED = Set.of(
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
            "kotlin.jvm.functions.Function0",
            "kotlin.sequences.Sequence",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "okhttp3.Call",
            "retrofit2.Call",
            "scala.concurrent.Future",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask");

    /** The name of such a class; empty for all others. */
    private static final ClassValue<Optional<String>> NAMES = new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> type) {
            if (type.isRecord() || Enum.class.isAssignableFrom(type)) {
                return Optional.empty();
            }
            // The class of a lambda, and the hidden ones of the JDK, have no name that a reader knows.
            return kind(type)
                    .map(kind -> Modifier.isPublic(type.getModifiers()) ? type : kind)
                    .map(Class::getSimpleName);
        }
    };

    private Unfinished() {}

    /** The value in words, such as "a CompletableFuture"; null if it is a result. */
    public static @Nullable String named(@Nullable Object value) {
        if (value == null) {
            return null;
        }
        String own = named(value.getClass());
        if (own != null) {
            return own;
        } else if (value instanceof Optional<?> optional) {
            return within("an Optional", optional.stream());
        } else if (value instanceof Collection<?> collection) {
            return within("a collection", collection.stream());
        } else if (value instanceof Map<?, ?> map) {
            return within("a map", map.values().stream());
        }
        return value instanceof Object[] array ? within("an array", Arrays.stream(array)) : null;
    }

    private static @Nullable String within(String container, Stream<?> elements) {
        try {
            return elements.filter(Objects::nonNull)
                    .map(element -> named(element.getClass()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .map(name -> container + " with " + name + " in it")
                    .orElse(null);
        } catch (RuntimeException e) {
            return null; // such as a collection of a closed session: it can't be stored, and the codec says why
        }
    }

    /** The first such type in a declared type, in words; null if values of this type are results. */
    public static @Nullable String declared(Type type) {
        if (type instanceof Class<?> known) {
            return known.isArray() ? declared(known.getComponentType()) : named(known);
        } else if (type instanceof GenericArrayType array) {
            return declared(array.getGenericComponentType());
        } else if (type instanceof ParameterizedType generic) {
            return Stream.concat(Stream.of(generic.getRawType()), Arrays.stream(generic.getActualTypeArguments()))
                    .map(Unfinished::declared)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        return null;
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

    private static @Nullable String named(Class<?> type) {
        return NAMES.get(type)
                .map(name -> ("AEIO".indexOf(name.charAt(0)) < 0 ? "a " : "an ") + name)
                .orElse(null);
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
