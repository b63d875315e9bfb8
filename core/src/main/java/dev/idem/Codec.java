package dev.idem;

import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A serialiser for results. The type always comes from the caller, never from the stored data.
 *
 * <p>Idem stores {@code null} by itself, so a codec never gets {@code null} to encode.
 *
 * <p>{@link IdemBuilder#codec} adds a codec before the built-in ones. A codec that the service loader finds on the
 * class path, such as that of idem-jackson, serves the types that the built-in codecs can't read back. Implementations
 * must be thread-safe.
 */
public interface Codec {
    /** The stable name of the codec. It is stored with each result, and selects the codec that reads it. */
    String name();

    /**
     * Whether this codec can write results of this type and read them back. A declared type without a codec is refused
     * before the action runs.
     */
    boolean handles(Type type);

    /**
     * Why this codec does not handle a type, and what would help, for the message that refuses the type. Empty by default.
     */
    default Optional<String> refusal(Type type) {
        return Optional.empty();
    }

    /**
     * Writes a value as bytes.
     *
     * @throws Exception any exception when the value can't be written. The entry is then complete without a result,
     *     since the effect has taken place
     */
    Payload encode(Object value, Type type) throws Exception;

    /**
     * Reads a value from bytes.
     *
     * @throws Exception any exception when the bytes don't fit the type; the call then gets a {@link
     *     ResultUnavailableException}
     */
    @Nullable
    Object decode(Payload payload, Type type) throws Exception;
}
