package dev.idem;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A type with its arguments, which a class alone can't name: {@code new TypeRef<List<Receipt>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T extends @Nullable Object> {
    private final Type type;

    /** To be called by an anonymous subclass, which fixes the type. */
    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
            throw new IllegalStateException("write new TypeRef<List<Receipt>>() {}, with the type in it");
        }
        this.type = parameterized.getActualTypeArguments()[0];
    }

    private TypeRef(Type type) {
        this.type = type;
    }

    /** A type that is known only at run time, such as the return type of a method. */
    public static TypeRef<@Nullable Object> of(Type type) {
        return new Known(type);
    }

    public final Type type() {
        return type;
    }

    private static final class Known extends TypeRef<@Nullable Object> {
        Known(Type type) {
            super(type);
        }
    }
}
