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
    private final int most;
    private int kept;
    private boolean skips;

    /** Parses this text. */
    public JsonParser(String text, boolean exact) {
        this(new JsonScanner(text, exact), Integer.MAX_VALUE);
    }

    /** Parses values from where the scanner is, and keeps at most so many. */
    JsonParser(JsonScanner scanner, int most) {
        this.scanner = scanner;
        this.most = most;
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

    /** Moves behind the value at the scanner's position. It is checked, and only the names of open objects are kept. */
    void skip() {
        skips = true;
        value();
        skips = false;
    }

    /** The value at the scanner's position. */
    @Nullable
    Object value() {
        while (true) {
            char c = scanner.peek();
            Object value;
            if (c == '{' || c == '[') {
                Open entered = c == '{' ? new OpenObject() : new OpenArray(!skips);
                open.push(entered);
                if (scanner.enter(entered.closing())) {
                    beforeElement(entered);
                    continue;
                }
                value = close();
            } else {
                value = scalar(c);
            }
            // The value may be the last of its container, and the container the last of its own.
            Open container = open.peek();
            while (container != null && !expectsMoreAfter(container, value)) {
                value = close();
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

    private @Nullable Object close() {
        Open closed = open.pop();
        if (!skips) {
            return closed.closed();
        }
        kept -= closed.kept();
        return null;
    }

    private boolean expectsMoreAfter(Open container, @Nullable Object value) {
        kept -= container.kept();
        container.add(value);
        kept += container.kept();
        if (kept > most) {
            throw scanner.error("one value too many: at most " + most + " are read");
        }
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
            scanner.path.at(((OpenArray) container).size);
        }
    }

    /** An object or array that is not closed yet. */
    private interface Open {
        char closing();

        void add(@Nullable Object value);

        /** How many values are in the memory. */
        int kept();

        Object closed();
    }

    private static final class OpenArray implements Open {
        private final boolean keeps;
        private final List<@Nullable Object> elements = new ArrayList<>();
        int size;

        OpenArray(boolean keeps) {
            this.keeps = keeps;
        }

        @Override
        public char closing() {
            return ']';
        }

        @Override
        public void add(@Nullable Object value) {
            size++;
            if (keeps) {
                elements.add(value);
            }
        }

        @Override
        public int kept() {
            return elements.size();
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
        public int kept() {
            return members.size();
        }

        @Override
        public Object closed() {
            return Collections.unmodifiableMap(members);
        }
    }
}
