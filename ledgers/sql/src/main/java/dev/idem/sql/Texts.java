package dev.idem.sql;

import dev.idem.entry.Address;
import dev.idem.entry.Mark;
import dev.idem.entry.ProcessRef;
import dev.idem.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The small structures of an entry as JSON text; what is empty is null. */
public final class Texts {
    private static final String NAME = "name";
    private static final String HOST = "host";
    private static final String PID = "pid";
    private static final String START = "start";

    private Texts() {}

    /** {@code ["scope","operation","key"]}. */
    public static @Nullable String address(@Nullable Address address) {
        return address == null ? null : Json.write(List.of(address.scope(), address.operation(), address.key()));
    }

    /** Reads what the other one wrote. */
    public static @Nullable Address address(@Nullable String text) {
        if (text == null) {
            return null;
        }
        List<?> parts = list(Json.parse(text));
        return new Address((String) parts.get(0), (String) parts.get(1), (String) parts.get(2));
    }

    /** An object with the names in order. */
    public static @Nullable String labels(Map<String, String> labels) {
        return labels.isEmpty() ? null : Json.write(new TreeMap<>(labels));
    }

    /** Reads what the other one wrote. */
    public static Map<String, String> labels(@Nullable String text) {
        if (text == null) {
            return Map.of();
        }
        Map<String, String> labels = new LinkedHashMap<>();
        map(Json.parse(text)).forEach((name, value) -> labels.put((String) name, (String) value));
        return labels;
    }

    /** {@code [{"name":"charging"},{"name":"started","host":"…","pid":17,"start":42}]}. */
    public static @Nullable String marks(List<Mark> marks) {
        if (marks.isEmpty()) {
            return null;
        }
        List<Object> list = new ArrayList<>();
        for (Mark mark : marks) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put(NAME, mark.name());
            ProcessRef child = mark.child();
            if (child != null) {
                one.put(HOST, child.host());
                one.put(PID, child.pid());
                one.put(START, child.start());
            }
            list.add(one);
        }
        return Json.write(list);
    }

    /** Reads what the other one wrote. */
    public static List<Mark> marks(@Nullable String text) {
        if (text == null) {
            return List.of();
        }
        List<Mark> marks = new ArrayList<>();
        for (Object item : list(Json.parse(text))) {
            Map<?, ?> one = map(item);
            Object host = one.get(HOST);
            ProcessRef child =
                    host == null ? null : new ProcessRef((String) host, number(one.get(PID)), number(one.get(START)));
            marks.add(new Mark((String) Objects.requireNonNull(one.get(NAME), "name of a mark"), child));
        }
        return marks;
    }

    private static List<?> list(@Nullable Object value) {
        return (List<?>) Objects.requireNonNull(value, "list");
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value, "object");
    }

    private static long number(@Nullable Object value) {
        return ((Number) Objects.requireNonNull(value, "number")).longValue();
    }
}
