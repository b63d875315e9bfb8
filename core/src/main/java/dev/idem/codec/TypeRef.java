package dev.idem.codec;

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

    public final Type type() {
        return type;
    }
}
