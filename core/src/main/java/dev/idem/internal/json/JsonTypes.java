package dev.idem.internal.json;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.Map;
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

    /** The record classes that were looked at, each with and without type arguments. */
    private final Set<Map.Entry<Class<?>, Boolean>> seen = new HashSet<>();

    /** A variable whose type is not known. Values can be written all the same. */
    private @Nullable Problem unknown;

    private JsonTypes() {}

    /**
     * Why a type can't be read back.
     *
     * @param why such as "dev.example.Bean has no stored form"
     * @param advice what to do; null where the type needs another codec
     */
    public record Problem(String why, @Nullable String advice) {}

    /** The first problem of a type; null where it can be read back. */
    public static @Nullable Problem problem(Type type) {
        JsonTypes types = new JsonTypes();
        Problem problem = types.find(type, false);
        return problem == null ? types.unknown : problem;
    }

    /** Whether values of a type can be written, though maybe not read back as that type. */
    public static boolean areWritten(Type type) {
        return new JsonTypes().find(type, false) == null;
    }

    /** {@code bound}: whether variables stand for types that are known, those of the record around them. */
    private @Nullable Problem find(Type type, boolean bound) {
        if (type instanceof Class<?> known) {
            return find(known, known.getTypeParameters().length == 0);
        } else if (type instanceof GenericArrayType array) {
            return find(array.getGenericComponentType(), bound);
        } else if (type instanceof ParameterizedType generic) {
            Problem problem = find((Class<?>) generic.getRawType(), true);
            for (Type argument : generic.getActualTypeArguments()) {
                problem = problem != null ? problem : find(argument, bound);
            }
            return problem;
        } else if (type instanceof WildcardType wildcard) {
            Type[] lower = wildcard.getLowerBounds();
            return find(lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0], bound);
        }
        if (!bound) {
            unknown = new Problem(
                    "nothing tells the type " + type.getTypeName(),
                    "Give the full type, such as new TypeRef<Page<Receipt>>() {}");
        }
        return null;
    }

    private @Nullable Problem find(Class<?> type, boolean bound) {
        if (type.isRecord()) {
            return seen.add(Map.entry(type, bound)) ? findInside(RecordShape.of(type), bound) : null;
        } else if (type.isArray()) {
            return find((Type) type.getComponentType(), bound);
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
        return listed ? null : new Problem(type.getName() + " has no stored form", null);
    }

    private @Nullable Problem findInside(RecordShape shape, boolean bound) {
        if (!shape.isAccessible()) {
            return new Problem(shape.notOpen(), shape.advice());
        }
        for (int i = 0; i < shape.size(); i++) {
            Problem problem = find(shape.type(i), bound);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }
}
