package dev.idem.internal.json;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells whether {@link JsonBinder} can read back a declared type, before there is a value. */
public final class JsonTypes {
    private static final Set<Class<?>> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private final Set<Class<?>> seen = new HashSet<>();

    private JsonTypes() {}

    /** The first type in a type that has no JSON form; null where all of them have one. */
    public static @Nullable Class<?> unlisted(Type type) {
        return new JsonTypes().find(type);
    }

    private @Nullable Class<?> find(Type type) {
        if (type instanceof Class<?> known) {
            return find(known);
        } else if (type instanceof GenericArrayType array) {
            return find(array.getGenericComponentType());
        } else if (type instanceof ParameterizedType generic) {
            Class<?> unlisted = find(generic.getRawType());
            for (Type argument : generic.getActualTypeArguments()) {
                unlisted = unlisted != null ? unlisted : find(argument);
            }
            return unlisted;
        }
        // A variable or a wildcard: its type is known only with the value.
        return null;
    }

    private @Nullable Class<?> find(Class<?> type) {
        if (type.isRecord()) {
            return seen.add(type) ? findInside(type) : null;
        } else if (type.isArray()) {
            return find(type.getComponentType());
        }
        boolean listed = type == Object.class
                || type == void.class
                || type == Void.class
                || type == boolean.class
                || type == Boolean.class
                || OPTIONALS.contains(type)
                || Containers.isMap(type)
                || Containers.isCollection(type)
                || ScalarReader.isListed(type);
        return listed ? null : type;
    }

    private @Nullable Class<?> findInside(Class<?> record) {
        RecordShape shape = RecordShape.of(record);
        for (int i = 0; i < shape.size(); i++) {
            Class<?> unlisted = find(shape.type(i));
            if (unlisted != null) {
                return unlisted;
            }
        }
        return null;
    }
}
