package dev.idem.cli.protocol;

import dev.idem.internal.json.CanonicalJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the differences of two JSON values in canonical form, which are those that change the key. */
final class Differences {
    private static final String ABSENT = "(absent)";

    private final List<Map<String, @Nullable Object>> found = new ArrayList<>();

    private Differences() {}

    /** The places, each with its path and both values as canonical JSON. */
    static List<Map<String, @Nullable Object>> between(@Nullable Object one, @Nullable Object other) {
        Differences differences = new Differences();
        differences.compare("$", one, other);
        return differences.found;
    }

    private void compare(String path, @Nullable Object one, @Nullable Object other) {
        if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
            TreeSet<String> names = new TreeSet<>();
            a.keySet().forEach(name -> names.add(String.valueOf(name)));
            b.keySet().forEach(name -> names.add(String.valueOf(name)));
            for (String name : names) {
                String at = path + "." + name;
                if (!a.containsKey(name) || !b.containsKey(name)) {
                    add(
                            at,
                            a.containsKey(name) ? text(a.get(name)) : ABSENT,
                            b.containsKey(name) ? text(b.get(name)) : ABSENT);
                } else {
                    compare(at, a.get(name), b.get(name));
                }
            }
        } else if (one instanceof List<?> a && other instanceof List<?> b && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                compare(path + "[" + i + "]", a.get(i), b.get(i));
            }
        } else if (!text(one).equals(text(other))) {
            add(path, text(one), text(other));
        }
    }

    private static String text(@Nullable Object value) {
        return CanonicalJson.of(value);
    }

    private void add(String path, String one, String other) {
        Map<String, @Nullable Object> difference = new LinkedHashMap<>();
        difference.put("path", path);
        difference.put("one", one);
        difference.put("other", other);
        found.add(difference);
    }
}
