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
        scanner = new JsonScanner(text, exact);
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
        if (scanner.peek() == '\uFEFF') {
            throw scanner.error("begins with a byte order mark; remove it");
        }
        scanner.skipWhitespace();
        Object value = value();
        scanner.skipWhitespace();
        if (!scanner.atEnd()) {
            throw scanner.expected("the end of the text");
        }
        return value;
    }

    private @Nullable Object value() {
        while (true) {
            char c = scanner.peek();
            Object value;
            if (c == '{' || c == '[') {
                Open entered = enter(c);
                if (!scanner.accept(entered.closing())) {
                    beforeElement(entered);
                    continue;
                }
                value = leave();
            } else {
                value = scalar(c);
            }
            // The value may be the last of its container, and the container the last of its own.
            Open container = open.peek();
            while (container != null && !expectsMoreAfter(container, value)) {
                value = leave();
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

    private Open enter(char c) {
        if (!scanner.path.descend()) {
            throw scanner.error("nested more than " + JsonPath.MAX_DEPTH + " levels deep");
        }
        scanner.skip();
        Open entered = c == '{' ? new OpenObject() : new OpenArray();
        open.push(entered);
        scanner.skipWhitespace();
        return entered;
    }

    private Object leave() {
        scanner.path.ascend();
        return open.pop().closed();
    }

    private boolean expectsMoreAfter(Open container, @Nullable Object value) {
        container.add(value);
        scanner.skipWhitespace();
        if (scanner.accept(',')) {
            scanner.skipWhitespace();
            beforeElement(container);
            return true;
        }
        if (!scanner.accept(container.closing())) {
            throw scanner.expected("',' or '" + container.closing() + "'");
        }
        return false;
    }

    /** Moves to the next value of the container. */
    private void beforeElement(Open container) {
        if (container instanceof OpenArray array) {
            scanner.path.at(array.elements.size());
            return;
        }
        if (scanner.peek() != '"') {
            throw scanner.expected("a name in double quotes");
        }
        int start = scanner.offset();
        String name = scanner.string();
        scanner.path.at(name);
        if (!((OpenObject) container).name(name)) {
            scanner.backTo(start);
            throw scanner.error("duplicate name; readers disagree on which one counts, keep one");
        }
        scanner.skipWhitespace();
        if (!scanner.accept(':')) {
            throw scanner.expected("':'");
        }
        scanner.skipWhitespace();
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

        /** Names the next member. Returns false if the name is a duplicate. */
        boolean name(String next) {
            name = next;
            return !members.containsKey(next);
        }

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
