package dev.idem;

import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns results into bytes and back. The type always comes from the caller, never from the data.
 *
 * <p>A codec is never asked to encode {@code null}: that is done before it, the same way for all types.
 *
 * <p>{@link IdemBuilder#codec} takes a codec, which then comes before the built-in ones. A codec that is a service on the
 * class path, as that of idem-jackson is, serves the types that the built-in ones can't read back. Implementations must
 * be thread-safe.
 */
public interface Codec {
    /** A stable name, stored with what it wrote: the codec of that name reads it again. */
    String name();

    /**
     * Whether it can write results of this type and read them back. A declared type that no codec handles is refused
     * before the action runs.
     */
    boolean handles(Type type);

    /** Throws whatever it likes when the value can't be written; the effect has happened all the same. */
    Payload encode(Object value, Type type) throws Exception;

    /** Throws whatever it likes when the bytes don't fit the type. */
    @Nullable
    Object decode(Payload payload, Type type) throws Exception;
}
