package dev.idem.clikit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;

/** An option as the manifest shows it. */
final class Flag {
    private static final Set<Class<?>> INTEGERS = Set.of(
            int.class,
            Integer.class,
            long.class,
            Long.class,
            short.class,
            Short.class,
            byte.class,
            Byte.class,
            BigInteger.class);
    private static final Set<Class<?>> NUMBERS =
            Set.of(double.class, Double.class, float.class, Float.class, BigDecimal.class);

    private Flag() {}

    static Map<String, Object> of(OptionSpec option) {
        Map<String, Object> flag = new LinkedHashMap<>();
        flag.put("type", type(option));
        flag.put("required", option.required());
        flag.put("description", String.join(" ", option.description()));
        String byDefault = option.defaultValue();
        if (byDefault != null) {
            flag.put("default", byDefault);
        }
        if (option.type().isEnum()) {
            flag.put(
                    "enum_values",
                    Arrays.stream(option.type().getEnumConstants())
                            .map(String::valueOf)
                            .toList());
        }
        List.of(option.names()).stream()
                .filter(name -> name.length() == 2 && name.charAt(0) == '-')
                .findFirst()
                .ifPresent(name -> flag.put("short", name.substring(1)));
        return flag;
    }

    private static String type(OptionSpec option) {
        Class<?> type = option.type();
        if (option.isMultiValue()) {
            return "array";
        } else if (type.isEnum()) {
            return "enum";
        } else if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        } else if (INTEGERS.contains(type)) {
            return "integer";
        }
        return NUMBERS.contains(type) ? "number" : "string";
    }
}
