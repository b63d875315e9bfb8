package dev.idem.internal.wire;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The components of a record class, looked up once for each class. */
final class RecordParts {
    /** The components that may be null. Not read from their annotations, which are not there at run time. */
    private static final Set<String> OPTIONAL = Set.of(
            "claim_request.parent",
            "completed.note",
            "completed.resolution",
            "entry.doubt",
            "entry.parent",
            "entry.settlement",
            "fingerprints.content",
            "fingerprints.identity",
            "mark.child",
            "not_executed.resolution",
            "owner.process",
            "page.next",
            "query.after",
            "query.key",
            "query.newer_than",
            "query.older_than",
            "query.operation",
            "resolved_by.caller",
            "resolved_by.request",
            "resolved_by.who",
            "resolved_by.why",
            "stale.entry",
            "times.expires",
            "times.settled",
            "trail_line.resolution");

    private static final ClassValue<RecordParts> ALL = new ClassValue<>() {
        @Override
        protected RecordParts computeValue(Class<?> type) {
            return new RecordParts(type);
        }
    };

    private final String word;
    private final boolean isCase;
    private final List<String> names;
    private final Type[] types;
    private final Method[] accessors;
    private final Constructor<?> constructor;

    private RecordParts(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        word = word(type);
        isCase = Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed);
        names = Arrays.stream(components).map(each -> word(each.getName())).toList();
        types = Arrays.stream(components).map(RecordComponent::getGenericType).toArray(Type[]::new);
        accessors = Arrays.stream(components).map(RecordComponent::getAccessor).toArray(Method[]::new);
        try {
            constructor = type.getConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type + " is not public", e);
        }
    }

    static RecordParts of(Class<?> record) {
        return ALL.get(record);
    }

    /** The case of a sealed type with this word. */
    static RecordParts caseOf(Class<?> sealed, String word) {
        for (Class<?> each : sealed.getPermittedSubclasses()) {
            if (of(each).word.equals(word)) {
                return of(each);
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no " + word(sealed));
    }

    static Object constant(Class<?> type, String word) {
        for (Object each : type.getEnumConstants()) {
            if (word((Enum<?>) each).equals(word)) {
                return each;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no " + word(type));
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static String word(Class<?> type) {
        return word(type.getSimpleName());
    }

    /** A name of Java in snake case. */
    private static String word(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }

    /** The name of the record. */
    String word() {
        return word;
    }

    /** Whether it is a case of a sealed type. */
    boolean isCase() {
        return isCase;
    }

    int size() {
        return types.length;
    }

    String name(int index) {
        return names.get(index);
    }

    boolean has(String name) {
        return names.contains(name);
    }

    Type type(int index) {
        return types[index];
    }

    boolean isOptional(int index) {
        return OPTIONAL.contains(word + "." + name(index));
    }

    @Nullable
    Object get(Object record, int index) {
        try {
            return accessors[index].invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes the record; throws {@link IllegalArgumentException} if it refuses its parts. */
    Object make(@Nullable Object[] parts) {
        try {
            return constructor.newInstance(parts);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    String.valueOf(e.getTargetException().getMessage()), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
