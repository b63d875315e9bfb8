package dev.idem.internal.codec;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads properties of exceptions by reflection, whose classes are not known here. A property that can't be read is absent. */
public final class Accessors {
    private Accessors() {}

    /** The value of a public method; null if there is no such method or value, or if it throws. */
    public static @Nullable Object read(Object from, String method, Object... arguments) {
        try {
            Method found = find(from.getClass(), method, types(arguments));
            Object given = found == null ? null : found.invoke(from, arguments);
            return given instanceof Optional<?> optional ? optional.orElse(null) : given;
        } catch (IllegalAccessException | InvocationTargetException e) {
            return null;
        }
    }

    /** Found in a public class or interface, since that of the object itself may be hidden. */
    private static @Nullable Method find(Class<?> type, String method, Class<?>[] arguments) {
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            Method found = declared(one, method, arguments);
            if (found != null) {
                return found;
            }
            for (Class<?> face : one.getInterfaces()) {
                found = find(face, method, arguments);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    private static @Nullable Method declared(Class<?> type, String method, Class<?>[] arguments) {
        try {
            return Modifier.isPublic(type.getModifiers()) ? type.getMethod(method, arguments) : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** The first number that one of these methods returns, directly or by {@code value()} of its result. */
    public static @Nullable Integer number(Object from, String... methods) {
        for (String method : methods) {
            Object given = read(from, method);
            Object value = given == null || given instanceof Number ? given : read(given, "value");
            if (value instanceof Number number) {
                return number.intValue();
            }
        }
        return null;
    }

    public static String text(Object from, String method) {
        Object given = read(from, method);
        return given == null ? "" : given.toString();
    }

    /** Whether the class or one it extends has this name. */
    public static boolean isA(Object object, String className) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(className)) {
                return true;
            }
        }
        return false;
    }

    private static Class<?>[] types(Object... arguments) {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            types[i] = arguments[i].getClass();
        }
        return types;
    }
}
