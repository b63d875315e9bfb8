package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * Says that a text is not JSON, or that a value has no JSON form, and where.
 *
 * <p>The message begins with the path of the offending value, such as {@code $.items[3].price}.
 */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    public JsonException(String path, String problem) {
        this(path, problem, null);
    }

    public JsonException(String path, String problem, @Nullable Throwable cause) {
        super(path + ": " + problem, cause);
        this.path = path;
    }

    /** The place in the document, {@code $} being its root. */
    public String path() {
        return path;
    }
}
