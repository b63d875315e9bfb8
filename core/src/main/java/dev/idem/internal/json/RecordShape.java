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

    private RecordShape(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        this.type = type;
        names = new String[components.length];
        types = new Type[components.length];
        accessors = new Method[components.length];
        Class<?>[] parameters = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            names[i] = components[i].getName();
            types[i] = components[i].getGenericType();
            parameters[i] = components[i].getType();
            accessors[i] = components[i].getAccessor();
            accessors[i].trySetAccessible();
        }
        constructor = canonicalConstructor(type, parameters);
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
            throw path.error(notOpen(), e);
        } catch (InvocationTargetException e) {
            throw path.error("the accessor of the record " + type.getName() + " threw " + e.getCause(), e.getCause());
        }
    }

    Object create(@Nullable Object[] components, JsonPath path) {
        if (constructor == null) {
            throw path.error(notOpen());
        }
        try {
            return constructor.newInstance(components);
        } catch (IllegalAccessException | InstantiationException e) {
            throw path.error(notOpen(), e);
        } catch (InvocationTargetException e) {
            throw path.error("the record " + type.getName() + " refused the values: " + e.getCause(), e.getCause());
        }
    }

    private static @Nullable Constructor<?> canonicalConstructor(Class<?> type, Class<?>[] parameters) {
        try {
            Constructor<?> found = type.getDeclaredConstructor(parameters);
            found.trySetAccessible();
            return found;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private String notOpen() {
        return "the record " + type.getName() + " is not accessible; make it public or add \"opens "
                + type.getPackageName() + " to " + moduleName() + "\" to its module";
    }

    private static String moduleName() {
        Module own = RecordShape.class.getModule();
        return own.isNamed() ? own.getName() : "ALL-UNNAMED";
    }
}
