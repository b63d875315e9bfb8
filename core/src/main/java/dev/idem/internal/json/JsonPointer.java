package dev.idem.internal.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON pointers (RFC 6901). */
public final class JsonPointer {
    private JsonPointer() {}

    /** The value that a pointer names; null where there is none. */
    public static @Nullable Object find(@Nullable Object json, String pointer) {
        Object value = json;
        for (String part : pointer.substring(Math.min(1, pointer.length())).split("/", -1)) {
            String name = part.replace("~1", "/").replace("~0", "~");
            if (value instanceof Map<?, ?> members) {
                value = members.get(name);
            } else if (value instanceof List<?> elements && name.matches("0|[1-9][0-9]{0,8}")) {
                int index = Integer.parseInt(name);
                value = index < elements.size() ? elements.get(index) : null;
            } else {
                value = null;
            }
        }
        return value;
    }
}
