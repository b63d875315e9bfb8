package dev.idem.internal.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The components of a record class, looked up once for each class. */
final class RecordShape {
    private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
            return new RecordShape(type);
        }
    };

    private final Class<?> type;
    private final String[] names;
    private final Type[] types;
    private final Method[] accessors;
    private final @Nullable Constructor<?> constructor;
    private final boolean accessible;

    private RecordShape(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        this.type = type;
        names = new String[components.length];
        types = new Type[components.length];
        accessors = new Method[components.length];
        Class<?>[] parameters = new Class<?>[components.length];
        boolean readable = true;
        for (int i = 0; i < components.length; i++) {
            names[i] = components[i].getName();
            types[i] = components[i].getGenericType();
            parameters[i] = components[i].getType();
            accessors[i] = components[i].getAccessor();
            readable &= accessors[i].trySetAccessible();
        }
        constructor = canonicalConstructor(type, parameters);
        accessible = readable && constructor != null && constructor.trySetAccessible();
    }

    static RecordShape of(Class<?> recordClass) {
        return SHAPES.get(recordClass);
    }

    int size() {
        return names.length;
    }

    String name(int index) {
        return names[index];
    }

    Type type(int index) {
        return types[index];
    }

    @Nullable
    Object read(Record record, int index, JsonPath path) {
        try {
            return accessors[index].invoke(record);
        } catch (IllegalAccessException e) {
            throw path.error(notOpen() + ". " + advice(), e);
        } catch (InvocationTargetException e) {
            throw path.error("the accessor of the record " + type.getName() + " threw " + e.getCause(), e.getCause());
        }
    }

    Object create(@Nullable Object[] components, JsonPath path) {
        if (constructor == null) {
            throw path.error(notOpen() + ". " + advice());
        }
        try {
            return constructor.newInstance(components);
        } catch (IllegalAccessException | InstantiationException e) {
            throw path.error(notOpen() + ". " + advice(), e);
        } catch (InvocationTargetException e) {
            throw path.error("the record " + type.getName() + " refused the values: " + e.getCause(), e.getCause());
        }
    }

    private static @Nullable Constructor<?> canonicalConstructor(Class<?> type, Class<?>[] parameters) {
        try {
            return type.getDeclaredConstructor(parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Whether its values can be written and read back. */
    boolean isAccessible() {
        return accessible;
    }

    String notOpen() {
        return "the record " + type.getName() + " is not accessible to Idem";
    }

    /** What makes it accessible. */
    String advice() {
        Module own = RecordShape.class.getModule();
        return "Add \"opens " + type.getPackageName() + (own.isNamed() ? " to " + own.getName() : "")
                + "\" to the module-info.java of " + type.getModule().getName();
    }
}
