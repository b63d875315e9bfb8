package dev.idem.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Finds the type by which a duplicate reads a stored result. */
final class ResultType {
    private ResultType() {}

    /** The type that the calls of a method on a bean of this class have as their result; of a stage, what it gives. */
    static Type of(Class<?> type, Method method) {
        ResolvableType result = ResolvableType.forMethodReturnType(method, type);
        if (CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            result = result.as(CompletionStage.class).getGeneric(0);
        }
        Class<?> raw = result.resolve(Object.class);
        if (raw == void.class) {
            return Void.class;
        }
        return result.hasGenerics() ? known(result) : ClassUtils.resolvePrimitiveIfNecessary(raw);
    }

    /** The type with the variables of its declaration replaced: Spring resolves them, but does not put them in. */
    private static Type known(ResolvableType type) {
        Class<?> raw = type.resolve();
        if (raw == null || type.isArray()) {
            return type.getType();
        } else if (type.getType() instanceof Class) {
            // A raw type, whose variables stand for anything.
            return raw;
        }
        ResolvableType[] arguments = Stream.of(type.getGenerics())
                .map(argument -> ResolvableType.forType(known(argument)))
                .toArray(ResolvableType[]::new);
        return arguments.length == 0
                ? raw
                : ResolvableType.forClassWithGenerics(raw, arguments).getType();
    }
}
