package dev.idem;

import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns results into bytes and back. The type always comes from the caller, never from the data.
 *
 * <p>A codec is never asked to encode {@code null}: that is done before it, the same way for all types.
 */
public interface Codec {
    /** A stable name, stored with what it wrote: the codec of that name reads it again. */
    String name();

    /** Whether it can write results of this type. */
    boolean handles(Type type);

    /** Throws whatever it likes when the value can't be written; the effect has happened all the same. */
    Payload encode(Object value, Type type) throws Exception;

    /** Throws whatever it likes when the bytes don't fit the type. */
    @Nullable
    Object decode(Payload payload, Type type) throws Exception;
}
