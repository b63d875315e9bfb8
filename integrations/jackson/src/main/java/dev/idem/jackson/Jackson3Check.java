package dev.idem.jackson;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.deser.std.ReferenceTypeDeserializer;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.impl.UnknownSerializer;
import tools.jackson.databind.ser.impl.UnsupportedTypeSerializer;
import tools.jackson.databind.ser.std.ReferenceTypeSerializer;
import tools.jackson.databind.ser.std.StdContainerSerializer;
import tools.jackson.databind.util.BeanUtil;

/** Finds out why values of a type could not be written and read back, from the serializers that the mapper would use. */
final class Jackson3Check {
    private final SerializationContext writing;
    private final DeserializationContext reading;
    private final Set<JavaType> written = new HashSet<>();
    private final Set<JavaType> read = new HashSet<>();

    Jackson3Check(ObjectMapper mapper) {
        this.writing = mapper._serializationContext();
        this.reading = mapper._deserializationContext();
    }

    /** The first reason, or null where the type tells of none. */
    @Nullable
    String problem(JavaType type) {
        String unwritable = unwritable(type, null, writing.findValueSerializer(type));
        return unwritable == null ? unreadable(reading.findRootValueDeserializer(type)) : unwritable;
    }

    private @Nullable String unwritable(
            JavaType type, @Nullable BeanProperty property, @Nullable ValueSerializer<?> given) {
        if (type.isJavaLangObject()) {
            return null;
        }
        ValueSerializer<?> found = given != null ? given : writing.findPrimaryPropertySerializer(type, property);
        if (found instanceof UnsupportedTypeSerializer) {
            return unsupported(type);
        } else if (found instanceof StdContainerSerializer<?> container && type.getContentType() != null) {
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

    private @Nullable String unwritableProperty(BeanSerializerBase bean) {
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

    private @Nullable String unreadable(@Nullable ValueDeserializer<?> found) {
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

    private @Nullable String unreadableBean(BeanDeserializerBase bean) {
        ValueInstantiator creator = bean.getValueInstantiator();
        ValueSerializer<?> writer = writing.findValueSerializer(bean.getValueType());
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
