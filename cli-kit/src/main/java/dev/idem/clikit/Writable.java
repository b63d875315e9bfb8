package dev.idem.clikit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words of others, such as mistyped arguments and messages of exceptions, as they can be written in UTF-8. */
final class Writable {
    private Writable() {}

    /** The text, with a question mark for half of a surrogate pair. */
    static String text(String given) {
        return new String(given.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** The same for what may be a text, and may be a list of them. */
    static @Nullable Object value(@Nullable Object given) {
        if (given instanceof String text) {
            return text(text);
        }
        return given instanceof List<?> items
                ? items.stream().map(Writable::value).toList()
                : given;
    }
}
