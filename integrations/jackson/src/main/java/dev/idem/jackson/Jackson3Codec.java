package dev.idem.jackson;

import dev.idem.Codec;
import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores results as JSON with an {@code ObjectMapper} of Jackson 3: beans, and all other types that the mapper can write
 * and read back. Thread-safe, as far as the mapper is not changed while it is used.
 *
 * <pre>{@code
 * Idem idem = Idem.builder().ledger("sqlite:idem.db").codec(new Jackson3Codec(mapper)).open();
 * Receipt receipt = idem.operation("charge").key("order-7").returning(Receipt.class).run(call -> charge());
 * }</pre>
 *
 * <p>A codec that is given like this also stores the types that core could store itself, but for text and bytes. Properties
 * that a type does not have (any more) are ignored when a result is read.
 */
public final class Jackson3Codec implements Codec {
    static final String NAME = "jackson";

    private final ObjectMapper mapper;

    /**
     * A codec that uses this mapper.
     *
     * @throws IllegalArgumentException if the mapper has default typing: data would name the classes to create
     */
    public Jackson3Codec(ObjectMapper mapper) {
        if (mapper.deserializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
            throw new IllegalArgumentException(
                    "this ObjectMapper has default typing, so a stored result would name the "
                            + "classes to create. Give Idem a mapper without it, and declare subtypes with @JsonTypeInfo");
        }
        this.mapper = mapper;
    }

    /** A codec with default settings and all Jackson modules on the class path. */
    static Jackson3Codec standard() {
        return new Jackson3Codec(JsonMapper.builder().findAndAddModules().build());
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Whether the mapper can write values of this type and read them back, as far as the type alone tells. */
    @Override
    public boolean handles(Type type) {
        return type != Object.class && type != String.class && type != byte[].class && problem(type) == null;
    }

    @Override
    public Optional<String> refusal(Type type) {
        return Optional.ofNullable(problem(type));
    }

    private @Nullable String problem(Type type) {
        try {
            return new Jackson3Check(mapper).problem(mapper.constructType(type));
        } catch (DatabindException e) {
            return e.getOriginalMessage();
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public Payload encode(Object value, Type type) throws Exception {
        byte[] json = mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
        return Payload.of(json, "application/json", NAME);
    }

    @Override
    public @Nullable Object decode(Payload payload, Type type) throws Exception {
        return mapper.readerFor(mapper.constructType(type))
                .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .readValue(payload.bytes());
    }
}
