package dev.idem.internal.json;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON text that is one object, member by member, without building a map. As strict as {@link JsonParser}: the
 * text is checked to its end by calling {@link #next()} until it gives null.
 */
public final class JsonMembers {
    /** A name is compared with each one before it. */
    private static final int MOST_MEMBERS = 1000;

    private final JsonScanner scanner;
    private final JsonParser values;
    private final List<String> names = new ArrayList<>(32);

    /** Reads this text. Numbers with a fraction are read digit for digit. */
    public JsonMembers(byte[] utf8) {
        this(utf8, Integer.MAX_VALUE);
    }

    /** The same for a text from somebody who may send anything; {@code most} values at most are kept in the memory. */
    public JsonMembers(byte[] utf8, int most) {
        scanner = new JsonScanner(Utf8.decodeJson(utf8), true);
        values = new JsonParser(scanner, most);
    }

    /**
     * Moves to the next member that is not null, and returns its name; null after the last one. Its value must be read
     * before the next call.
     */
    public @Nullable String next() {
        while (names.isEmpty() ? opens() : continues()) {
            String name = scanner.name(names);
            names.add(name);
            if (names.size() > MOST_MEMBERS) {
                throw scanner.error("one member too many: an object has at most " + MOST_MEMBERS + " here");
            }
            if (scanner.peek() != 'n') {
                return name;
            }
            value();
        }
        return null;
    }

    private boolean opens() {
        scanner.begin();
        if (scanner.peek() != '{') {
            throw scanner.expected("an object");
        }
        return scanner.enter('}') || end();
    }

    private boolean continues() {
        return scanner.continues('}') || end();
    }

    private boolean end() {
        scanner.end();
        return false;
    }

    /** The value of the member as it is written. It is checked like any other. */
    public String text() {
        int from = scanner.offset();
        values.skip();
        return scanner.since(from);
    }

    /** The value of the member, as {@link JsonParser} gives it. */
    public @Nullable Object value() {
        return values.value();
    }
}
