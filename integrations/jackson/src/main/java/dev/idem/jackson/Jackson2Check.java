package dev.idem.jackson;

import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.deser.std.ReferenceTypeDeserializer;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.ContainerSerializer;
import com.fasterxml.jackson.databind.ser.PropertyWriter;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.impl.UnsupportedTypeSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.ser.std.ReferenceTypeSerializer;
import com.fasterxml.jackson.databind.util.BeanUtil;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out why values of a type could not be written and read back, from the serializers that the mapper would use. */
final class Jackson2Check {
    private final SerializerProvider writing;
    private final DeserializationContext reading;
    private final Set<JavaType> written = new HashSet<>();
    private final Set<JavaType> read = new HashSet<>();

    Jackson2Check(ObjectMapper mapper) {
        this.writing = mapper.getSerializerProviderInstance();
        this.reading = ((DefaultDeserializationContext) mapper.getDeserializationContext())
                .createDummyInstance(mapper.getDeserializationConfig());
    }

    /** The first reason, or null where the type tells of none. */
    @Nullable
    String problem(JavaType type) throws JsonMappingException {
        String unwritable = unwritable(type, null, writing.findValueSerializer(type));
        return unwritable == null ? unreadable(reading.findRootValueDeserializer(type)) : unwritable;
    }

    private @Nullable String unwritable(
            JavaType type, @Nullable BeanProperty property, @Nullable JsonSerializer<?> given)
            throws JsonMappingException {
        if (type.isJavaLangObject()) {
            return null;
        }
        JsonSerializer<?> found = given != null ? given : writing.findPrimaryPropertySerializer(type, property);
        if (found instanceof UnsupportedTypeSerializer) {
            return unsupported(type);
        } else if (found instanceof ContainerSerializer<?> container && type.getContentType() != null) {
            return unwritable(type.getContentType(), null, container.getContentSerializer());
        } else if (found instanceof ReferenceTypeSerializer<?>) {
            return unwritable(type.getReferencedType(), null, null);
        } else if (found instanceof UnknownSerializer
                && type.isConcrete()
                && writing.findTypeSerializer(type) == null) {
            return writing.isUnknownTypeSerializer(found) || hasFields(type.getRawClass())
                    ? "Jackson finds nothing to write in " + type.getRawClass().getName()
                            + ": it has no getters and no public fields"
                    : null;
        } else if (found instanceof BeanSerializerBase bean && written.add(type)) {
            return unwritableProperty(bean);
        }
        return null;
    }

    private @Nullable String unwritableProperty(BeanSerializerBase bean) throws JsonMappingException {
        for (Iterator<PropertyWriter> each = bean.properties(); each.hasNext(); ) {
            if (each.next() instanceof BeanPropertyWriter property) {
                String problem = unwritable(property.getType(), property, property.getSerializer());
                if (problem != null) {
                    return problem;
                }
            }
        }
        return null;
    }

    private @Nullable String unreadable(@Nullable JsonDeserializer<?> found) throws JsonMappingException {
        if (found instanceof BeanDeserializerBase bean) {
            return read.add(bean.getValueType()) ? unreadableBean(bean) : null;
        } else if (found instanceof UnsupportedTypeDeserializer unsupported) {
            return unsupported(unsupported.getValueType());
        } else if (found instanceof ReferenceTypeDeserializer<?> reference) {
            return unreadable(
                    reading.findRootValueDeserializer(reference.getValueType().getReferencedType()));
        } else if (found instanceof ContainerDeserializerBase<?> container) {
            return unreadable(container.getContentDeserializer());
        } else if (found instanceof AbstractDeserializer) {
            return found.handledType().getName()
                    + " is abstract, and nothing tells Jackson which class to create: declare its subtypes with @JsonTypeInfo";
        }
        return found == null || found.getDelegatee() == null ? null : unreadable(found.getDelegatee());
    }

    private @Nullable String unreadableBean(BeanDeserializerBase bean) throws JsonMappingException {
        ValueInstantiator creator = bean.getValueInstantiator();
        JsonSerializer<?> writer = writing.findValueSerializer(bean.getValueType());
        boolean isObject = writer instanceof BeanSerializerBase || writer instanceof UnknownSerializer;
        boolean fromObject = creator.canCreateUsingDefault()
                || creator.canCreateUsingDelegate()
                || creator.canCreateFromObjectWith();
        if (!(isObject ? fromObject : creator.canInstantiate())) {
            return "Jackson can't create a " + bean.handledType().getName()
                    + " from JSON: give it a constructor without parameters, or mark one with @JsonCreator";
        }
        for (Iterator<SettableBeanProperty> each = bean.properties(); each.hasNext(); ) {
            SettableBeanProperty property = each.next();
            String problem = property.hasValueTypeDeserializer() ? null : unreadable(property.getValueDeserializer());
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private String unsupported(JavaType type) {
        String message = BeanUtil.checkUnsupportedType(writing.getConfig(), type);
        return message == null
                ? "Jackson does not support " + type.getRawClass().getName()
                : message;
    }

    /** Whether an object of this class holds anything that could be lost. */
    private static boolean hasFields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields()).anyMatch(field -> !Modifier.isStatic(field.getModifiers()))
                || (type.getSuperclass() != null && hasFields(type.getSuperclass()));
    }
}
