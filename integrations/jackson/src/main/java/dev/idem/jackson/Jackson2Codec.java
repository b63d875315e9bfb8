package dev.idem.jackson;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import dev.idem.Codec;
import dev.idem.spi.Payload;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores results as JSON with an {@code ObjectMapper} of Jackson 2: beans, and all other types that the mapper can write
 * and read back. Thread-safe, as far as the mapper is not changed while it is used.
 *
 * <pre>{@code
 * Idem idem = Idem.builder().ledger("sqlite:idem.db").codec(new Jackson2Codec(mapper)).open();
 * Receipt receipt = idem.operation("charge").key("order-7").returning(Receipt.class).run(call -> charge());
 * }</pre>
 *
 * <p>A codec that is given like this also stores the types that core could store itself, but for text and bytes. Properties
 * that a type does not have (any more) are ignored when a result is read.
 */
public final class Jackson2Codec implements Codec {
    static final String NAME = "jackson";

    private final ObjectMapper mapper;

    /**
     * A codec that uses this mapper.
     *
     * @throws IllegalArgumentException if the mapper has default typing: data would name the classes to create
     */
    public Jackson2Codec(ObjectMapper mapper) {
        if (mapper.getDeserializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
            throw new IllegalArgumentException(
                    "this ObjectMapper has default typing, so a stored result would name the "
                            + "classes to create. Give Idem a mapper without it, and declare subtypes with @JsonTypeInfo");
        }
        this.mapper = mapper;
    }

    /** A codec with default settings and all Jackson modules on the class path. */
    static Jackson2Codec standard() {
        return new Jackson2Codec(JsonMapper.builder().findAndAddModules().build());
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Whether the mapper can write values of this type and read them back, as far as the type alone tells. */
    @Override
    public boolean handles(Type type) {
        if (type == String.class || type == byte[].class) {
            return false;
        }
        try {
            return new Check(mapper).roundTrips(mapper.constructType(type));
        } catch (JsonMappingException | IllegalArgumentException e) {
            return false;
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

    /** Looks at the serializers and deserializers of a type and of its properties. */
    private static final class Check {
        private final SerializerProvider writing;
        private final DeserializationContext reading;
        private final Set<JavaType> seen = new HashSet<>();

        Check(ObjectMapper mapper) {
            this.writing = mapper.getSerializerProviderInstance();
            this.reading = ((DefaultDeserializationContext) mapper.getDeserializationContext())
                    .createDummyInstance(mapper.getDeserializationConfig());
        }

        boolean roundTrips(JavaType type) throws JsonMappingException {
            return !writing.isUnknownTypeSerializer(writing.findValueSerializer(type))
                    && isReadable(reading.findRootValueDeserializer(type));
        }

        private boolean isReadable(@Nullable JsonDeserializer<?> found) throws JsonMappingException {
            if (found instanceof BeanDeserializerBase bean) {
                return !seen.add(bean.getValueType()) || isReadable(bean);
            } else if (found instanceof ContainerDeserializerBase<?> container) {
                return isReadable(container.getContentDeserializer());
            } else if (found instanceof AbstractDeserializer) {
                return false;
            }
            return found == null || found.getDelegatee() == null || isReadable(found.getDelegatee());
        }

        private boolean isReadable(BeanDeserializerBase bean) throws JsonMappingException {
            ValueInstantiator creator = bean.getValueInstantiator();
            boolean isObject = writing.findValueSerializer(bean.getValueType()) instanceof BeanSerializerBase;
            boolean fromObject = creator.canCreateUsingDefault()
                    || creator.canCreateUsingDelegate()
                    || creator.canCreateFromObjectWith();
            if (!(isObject ? fromObject : creator.canInstantiate())) {
                return false;
            }
            for (Iterator<SettableBeanProperty> each = bean.properties(); each.hasNext(); ) {
                SettableBeanProperty property = each.next();
                if (!property.hasValueTypeDeserializer() && !isReadable(property.getValueDeserializer())) {
                    return false;
                }
            }
            return true;
        }
    }
}
