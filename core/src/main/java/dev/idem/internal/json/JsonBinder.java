package dev.idem.internal.json;

import dev.idem.JsonException;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns plain JSON values into Java values: the reverse of {@link JsonValues}, for the same listed types.
 *
 * <p>The target type alone decides what is created; nothing in the data names a class. Names that a record does not
 * have are ignored. A component that is missing is null, or an empty optional; a missing primitive is an error.
 */
public final class JsonBinder {
    private final JsonPath path = new JsonPath();

    private JsonBinder() {}

    /**
     * The value as the target type: a class, or a generic type such as {@code List<Receipt>}.
     *
     * @throws JsonException if the value does not fit, or the type is not one of the listed ones; the message names
     *     the place
     */
    public static @Nullable Object bind(@Nullable Object jsonValue, Type target) {
        return new JsonBinder().value(jsonValue, target, Map.of());
    }

    /** The value as the target class; see {@link #bind(Object, Type)}. */
    @SuppressWarnings("unchecked") // A primitive class and its wrapper share the type argument T.
    public static <T> @Nullable T bind(@Nullable Object jsonValue, Class<T> target) {
        return (T) bind(jsonValue, (Type) target);
    }

    private @Nullable Object value(@Nullable Object json, Type target, Map<TypeVariable<?>, Type> variables) {
        if (target instanceof Class<?> type) {
            return value(json, type, new Type[0], variables);
        }
        if (target instanceof ParameterizedType generic) {
            return value(json, (Class<?>) generic.getRawType(), generic.getActualTypeArguments(), variables);
        }
        if (target instanceof GenericArrayType arrayOf) {
            Class<?> component = rawClass(arrayOf.getGenericComponentType(), variables);
            return json == null ? null : array(json, arrayOf.getGenericComponentType(), component, variables);
        }
        if (target instanceof WildcardType wildcard) {
            Type[] lower = wildcard.getLowerBounds();
            return value(json, lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0], variables);
        }
        return value(json, resolved(target, variables), Map.of());
    }

    private @Nullable Object value(
            @Nullable Object json, Class<?> type, Type[] arguments, Map<TypeVariable<?>, Type> variables) {
        if (type == Optional.class) {
            return Optional.ofNullable(value(json, argument(arguments, 0), variables));
        }
        if (type == OptionalInt.class) {
            return json == null ? OptionalInt.empty() : OptionalInt.of((Integer) scalar(json, int.class));
        }
        if (type == OptionalLong.class) {
            return json == null ? OptionalLong.empty() : OptionalLong.of((Long) scalar(json, long.class));
        }
        if (type == OptionalDouble.class) {
            return json == null ? OptionalDouble.empty() : OptionalDouble.of((Double) scalar(json, double.class));
        }
        if (json == null) {
            if (type.isPrimitive() && type != void.class) {
                throw path.error("is null or missing, but a " + type.getName() + " can't be null");
            }
            return null;
        }
        if (type == Object.class) {
            return ScalarReader.plain(json);
        }
        if (type.isRecord()) {
            return record(json, type, arguments, variables);
        }
        if (Containers.isMap(type)) {
            return map(json, type, arguments, variables);
        }
        if (Containers.isCollection(type)) {
            return collection(json, type, argument(arguments, 0), variables);
        }
        if (type.isArray() && type != byte[].class && type != char[].class) {
            return array(json, type.getComponentType(), type.getComponentType(), variables);
        }
        return scalar(json, type);
    }

    private Object record(Object json, Class<?> type, Type[] arguments, Map<TypeVariable<?>, Type> variables) {
        Map<?, ?> members = expect(json, Map.class, type);
        RecordShape shape = RecordShape.of(type);
        Map<TypeVariable<?>, Type> own = variablesOf(type, arguments, variables);
        @Nullable Object[] components = new Object[shape.size()];
        descend();
        for (int i = 0; i < components.length; i++) {
            path.at(shape.name(i));
            components[i] = value(members.get(shape.name(i)), shape.type(i), own);
        }
        path.ascend();
        return shape.create(components, path);
    }

    private Object map(Object json, Class<?> type, Type[] arguments, Map<TypeVariable<?>, Type> variables) {
        Map<?, ?> members = expect(json, Map.class, type);
        Class<?> keyType = rawClass(argument(arguments, 0), variables);
        Type valueType = argument(arguments, 1);
        Map<Object, @Nullable Object> map = Containers.newMap(type);
        descend();
        for (Map.Entry<?, ?> member : members.entrySet()) {
            String name = (String) member.getKey();
            path.at(name);
            Object key = keyType == Object.class ? name : ScalarReader.key(name, keyType, path);
            put(map, key, value(member.getValue(), valueType, variables));
        }
        path.ascend();
        return map;
    }

    private Object collection(Object json, Class<?> type, Type elementType, Map<TypeVariable<?>, Type> variables) {
        List<?> elements = expect(json, List.class, type);
        Collection<@Nullable Object> collection = Containers.newCollection(type);
        descend();
        for (int i = 0; i < elements.size(); i++) {
            path.at(i);
            add(collection, value(elements.get(i), elementType, variables));
        }
        path.ascend();
        return collection;
    }

    private void put(Map<Object, @Nullable Object> map, Object key, @Nullable Object value) {
        try {
            if (map.containsKey(key)) {
                throw path.error("another name gave the same key " + key);
            }
            map.put(key, value);
        } catch (ClassCastException e) {
            throw path.error(
                    "the keys of a sorted map must be comparable, "
                            + key.getClass().getName() + " is not",
                    e);
        }
    }

    private void add(Collection<@Nullable Object> collection, @Nullable Object element) {
        if (element == null && collection instanceof SortedSet<?>) {
            throw path.error("a sorted set holds no null");
        }
        try {
            collection.add(element);
        } catch (ClassCastException e) {
            throw path.error("the elements of a sorted set must be comparable with each other", e);
        }
    }

    private Object array(Object json, Type elementType, Class<?> component, Map<TypeVariable<?>, Type> variables) {
        List<?> elements = expect(json, List.class, component.arrayType());
        Object array = Array.newInstance(component, elements.size());
        descend();
        for (int i = 0; i < elements.size(); i++) {
            path.at(i);
            Array.set(array, i, value(elements.get(i), elementType, variables));
        }
        path.ascend();
        return array;
    }

    private Object scalar(Object json, Class<?> type) {
        return ScalarReader.read(json, type, path);
    }

    private <T> T expect(Object json, Class<T> kind, Class<?> target) {
        if (!kind.isInstance(json)) {
            throw ScalarReader.mismatch(json, target, path);
        }
        return kind.cast(json);
    }

    private static Type argument(Type[] arguments, int index) {
        return index < arguments.length ? arguments[index] : Object.class;
    }

    private Map<TypeVariable<?>, Type> variablesOf(Class<?> type, Type[] arguments, Map<TypeVariable<?>, Type> outer) {
        if (arguments.length == 0) {
            return Map.of();
        }
        Map<TypeVariable<?>, Type> own = new HashMap<>();
        TypeVariable<?>[] declared = type.getTypeParameters();
        for (int i = 0; i < declared.length; i++) {
            own.put(declared[i], substituted(arguments[i], outer));
        }
        return own;
    }

    /** The type with the type variables of the enclosing record replaced by their types. */
    private Type substituted(Type type, Map<TypeVariable<?>, Type> variables) {
        if (type instanceof TypeVariable<?>) {
            return resolved(type, variables);
        }
        if (type instanceof ParameterizedType generic && !variables.isEmpty()) {
            Type[] arguments = generic.getActualTypeArguments();
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = substituted(arguments[i], variables);
            }
            return new Parameterized((Class<?>) generic.getRawType(), List.of(arguments));
        }
        return type;
    }

    private Type resolved(Type type, Map<TypeVariable<?>, Type> variables) {
        Type known = type instanceof TypeVariable<?> variable ? variables.get(variable) : null;
        if (known == null) {
            throw path.error("the type " + type.getTypeName()
                    + " is not known here; give the full generic type, such as Page<Receipt>");
        }
        return known;
    }

    private Class<?> rawClass(Type type, Map<TypeVariable<?>, Type> variables) {
        if (type instanceof Class<?> known) {
            return known;
        }
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (type instanceof WildcardType wildcard) {
            return rawClass(wildcard.getUpperBounds()[0], variables);
        }
        if (type instanceof GenericArrayType arrayOf) {
            return rawClass(arrayOf.getGenericComponentType(), variables).arrayType();
        }
        return rawClass(resolved(type, variables), variables);
    }

    private void descend() {
        if (!path.descend()) {
            throw path.tooDeep();
        }
    }

    private record Parameterized(Class<?> raw, List<Type> arguments) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(new Type[0]);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return raw.getDeclaringClass();
        }
    }
}
