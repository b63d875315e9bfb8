package dev.idem.server;

import dev.idem.Address;
import dev.idem.internal.json.JsonMembers;
import dev.idem.spi.FieldLimits;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of a request. A method takes out each member that it knows; {@link #end()} refuses the others. A member
 * that is null counts as absent.
 */
final class Params {
    /** The one member whose text is kept byte for byte. */
    static final String RESULT = "result";

    /** What a value may cost, with its name and a copy of it: a text of 16 MB has millions. */
    private static final int VALUE = 1024;

    private static final int MOST_VALUES = (int) Budget.ofHeap(VALUE, Integer.MAX_VALUE);

    private final Map<String, Object> left;
    private final String where;
    private final Access access;

    private Params(Map<String, Object> members, String where, Access access) {
        this.left = members;
        this.where = where;
        this.access = access;
    }

    /** Reads the object of a request; throws {@link dev.idem.JsonException} where it is none. */
    static Params read(byte[] json, Access access) {
        Map<String, Object> members = new LinkedHashMap<>();
        JsonMembers in = new JsonMembers(json, MOST_VALUES);
        for (String name = in.next(); name != null; name = in.next()) {
            Object value = name.equals(RESULT) ? in.text() : in.value();
            if (value != null) {
                members.put(name, value);
            }
        }
        return new Params(members, "", access);
    }

    /** Refuses the members that were not taken. Call it before anything is done. */
    void end() {
        if (!left.isEmpty()) {
            throw ApiException.malformed("'" + where + left.keySet().iterator().next()
                    + "' is not known here; see docs/protocol.md. Nothing was done");
        }
    }

    boolean has(String name) {
        return left.containsKey(name);
    }

    @Nullable
    Object any(String name) {
        return left.remove(name);
    }

    String text(String name) {
        return required(name, textOrNull(name));
    }

    /** The same for a text of any length; see {@link #longTextOrNull}. */
    String longText(String name) {
        return required(name, longTextOrNull(name));
    }

    private String required(String name, @Nullable String text) {
        if (text == null) {
            throw ApiException.malformed("'" + where + name + "' is missing");
        }
        return text;
    }

    String text(String name, String absent) {
        String text = textOrNull(name);
        return text == null ? absent : text;
    }

    @Nullable
    String textOrNull(String name) {
        String text = longTextOrNull(name);
        if (text != null && text.length() > FieldLimits.TEXT) {
            throw ApiException.malformed("'" + where + name + "' has " + text.length() + " characters; it has at most "
                    + FieldLimits.TEXT + ". Nothing was done");
        }
        return text;
    }

    /** A text that the method itself cuts, or compares with its own limit. */
    @Nullable
    String longTextOrNull(String name) {
        Object value = left.remove(name);
        if (value != null && !(value instanceof String)) {
            throw wrong(name, "a text");
        }
        return (String) value;
    }

    boolean flag(String name) {
        Object value = left.remove(name);
        if (value != null && !(value instanceof Boolean)) {
            throw wrong(name, "true or false");
        }
        return Boolean.TRUE.equals(value);
    }

    long number(String name, long absent, long least, long most) {
        Object value = left.remove(name);
        if (value == null) {
            return absent;
        }
        boolean fits = value instanceof Long number && number >= least && number <= most;
        if (!fits) {
            throw wrong(name, "a whole number from " + least + " to " + BigInteger.valueOf(most));
        }
        return (Long) value;
    }

    /** The members of an object; null where it is absent. */
    @Nullable
    Params objectOrNull(String name) {
        Object value = left.remove(name);
        return value == null ? null : object(value, name);
    }

    private Params object(Object value, String name) {
        if (!(value instanceof Map<?, ?> members)) {
            throw wrong(name, "an object");
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        members.forEach((key, each) -> {
            if (each != null) {
                copy.put(String.valueOf(key), each);
            }
        });
        return new Params(copy, where + name + ".", access);
    }

    /** The objects of a list; empty where it is absent. */
    List<Params> objects(String name, int most) {
        List<?> values = list(name);
        if (values.size() > most) {
            throw ApiException.malformed(
                    "'" + where + name + "' has " + values.size() + " items; at most " + most + " go into one request");
        }
        return values.stream().map(each -> object(each, name)).toList();
    }

    List<String> texts(String name) {
        return list(name).stream()
                .map(each -> {
                    if (!(each instanceof String text)) {
                        throw wrong(name, "a list of texts");
                    }
                    return text;
                })
                .toList();
    }

    private List<?> list(String name) {
        Object value = left.remove(name);
        if (value == null) {
            return List.of();
        } else if (!(value instanceof List<?> values)) {
            throw wrong(name, "a list");
        } else {
            return values;
        }
    }

    /** Names and values that are all texts; empty where they are absent. */
    Map<String, String> textMap(String name) {
        Params members = objectOrNull(name);
        Map<String, String> texts = new LinkedHashMap<>();
        if (members != null) {
            for (String each : List.copyOf(members.left.keySet())) {
                texts.put(each, members.text(each));
            }
        }
        return texts;
    }

    /** All members, whatever they are. */
    Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>(left);
        left.clear();
        return all;
    }

    /** The scope, if the caller has this right there. */
    String scope(Right right) {
        String scope = text("scope", Address.DEFAULT_SCOPE);
        access.require(right, scope);
        return scope;
    }

    /** The address that scope, operation and key name, if the caller has this right there. */
    Address address(Right right) {
        return new Address(scope(right), text("operation"), text("key"));
    }

    /** What the caller may do. */
    Access access() {
        return access;
    }

    private ApiException wrong(String name, String what) {
        return ApiException.malformed("'" + where + name + "' must be " + what);
    }
}
