package dev.idem.spring;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Stops the start for a property {@code idem.*} that does not exist: a misspelt {@code idem.ledger} would otherwise put
 * the entries into a file. Environment variables and system properties are left alone, because those of the command line
 * have similar names. The message of Spring for unknown properties would show their values, which may hold a password.
 */
record UnknownProperties(ConfigurableEnvironment environment) implements BeanFactoryPostProcessor {
    private static final List<String> OF_THE_MACHINE = List.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory unused) {
        List<String> known = new ArrayList<>();
        collect("idem", IdemProperties.class, known);
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> listed && !OF_THE_MACHINE.contains(source.getName())) {
                for (String name : listed.getPropertyNames()) {
                    require(name, known);
                }
            }
        }
    }

    private static void require(String name, List<String> known) {
        String plain = uniform(name.replaceAll("\\[[0-9]+]$", ""));
        if (name.startsWith("idem.") && known.stream().noneMatch(each -> plain.matches(pattern(each)))) {
            throw new IllegalStateException("there is no property '" + name
                    + "'. Correct it; the properties of Idem are " + String.join(", ", known));
        }
    }

    /** {@code *} stands for a name that the application chooses. */
    private static String pattern(String known) {
        return uniform(known).replace(".", "\\.").replace("*", ".+");
    }

    /** Spring takes {@code keyRequired}, {@code key_required} and {@code key-required} alike. */
    private static String uniform(String name) {
        return name.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static void collect(String prefix, Type type, List<String> names) {
        if (type instanceof Class<?> one && one.isRecord()) {
            for (RecordComponent component : one.getRecordComponents()) {
                String name = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                collect(prefix + "." + name, component.getGenericType(), names);
            }
        } else if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
            collect(prefix + ".*", map.getActualTypeArguments()[1], names);
        } else {
            names.add(prefix);
        }
    }
}
