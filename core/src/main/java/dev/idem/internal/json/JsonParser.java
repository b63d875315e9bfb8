package dev.idem.internal.json;

import dev.idem.JsonException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the value of one JSON text. It keeps the open objects and arrays itself, so that no text can overflow the stack. */
public final class JsonParser {
    private final JsonScanner scanner;
    private final Deque<Open> open = new ArrayDeque<>();

    /** Parses this text. */
    public JsonParser(String text, boolean exact) {
        this(new JsonScanner(text, exact));
    }

    /** Parses values from where the scanner is. */
    JsonParser(JsonScanner scanner) {
        this.scanner = scanner;
    }

    /** The error for a text that can't be read beyond {@code prefix}; an error inside the prefix comes first. */
    static JsonException brokenAfter(String prefix, String problem) {
        JsonParser parser = new JsonParser(prefix, false);
        try {
            parser.document();
        } catch (JsonException e) {
            if (!parser.scanner.atEnd()) {
                return e;
            }
        }
        parser.scanner.backTo(prefix.length());
        return parser.scanner.error(problem);
    }

    @Nullable
    public Object document() {
        scanner.begin();
        Object value = value();
        scanner.end();
        return value;
    }

    /** The value at the scanner's position. */
    @Nullable
    Object value() {
        while (true) {
            char c = scanner.peek();
            Object value;
            if (c == '{' || c == '[') {
                Open entered = c == '{' ? new OpenObject() : new OpenArray();
                open.push(entered);
                if (scanner.enter(entered.closing())) {
                    beforeElement(entered);
                    continue;
                }
                value = open.pop().closed();
            } else {
                value = scalar(c);
            }
            // The value may be the last of its container, and the container the last of its own.
            Open container = open.peek();
            while (container != null && !expectsMoreAfter(container, value)) {
                value = open.pop().closed();
                container = open.peek();
            }
            if (container == null) {
                return value;
            }
        }
    }

    private @Nullable Object scalar(char c) {
        return switch (c) {
            case '"' -> scanner.string();
            case 't' -> scanner.literal("true", true);
            case 'f' -> scanner.literal("false", false);
            case 'n' -> scanner.literal("null", null);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> scanner.number();
            default -> throw scanner.expected("a value");
        };
    }

    private boolean expectsMoreAfter(Open container, @Nullable Object value) {
        container.add(value);
        if (!scanner.continues(container.closing())) {
            return false;
        }
        beforeElement(container);
        return true;
    }

    /** Moves to the next value of the container. */
    private void beforeElement(Open container) {
        if (container instanceof OpenObject object) {
            object.name = scanner.name(object.members.keySet());
        } else {
            scanner.path.at(((OpenArray) container).elements.size());
        }
    }

    /** An object or array that is not closed yet. */
    private interface Open {
        char closing();

        void add(@Nullable Object value);

        Object closed();
    }

    private static final class OpenArray implements Open {
        final List<@Nullable Object> elements = new ArrayList<>();

        @Override
        public char closing() {
            return ']';
        }

        @Override
        public void add(@Nullable Object value) {
            elements.add(value);
        }

        @Override
        public Object closed() {
            return Collections.unmodifiableList(elements);
        }
    }

    private static final class OpenObject implements Open {
        private final Map<String, @Nullable Object> members = new LinkedHashMap<>();
        private String name = "";

        @Override
        public char closing() {
            return '}';
        }

        @Override
        public void add(@Nullable Object value) {
            members.put(name, value);
        }

        @Override
        public Object closed() {
            return Collections.unmodifiableMap(members);
        }
    }
}
