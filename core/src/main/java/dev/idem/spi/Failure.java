package dev.idem.spi;

import java.util.Objects;

/**
 * The stored form of an exception. The message may hold secrets, so {@link #toString()} leaves it out.
 *
 * @param type the class of the exception, or another stable name
 * @param message its message; empty when there was none
 */
public record Failure(String type, String message) {
    /** Both are written by every ledger, so neither may be null. */
    public Failure {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(message, "message; give an empty one where there is none");
    }

    /**
     * The failure behind a thrown exception. Very long messages are shortened, and say so; half a surrogate pair, which
     * no ledger could write, becomes a question mark.
     */
    public static Failure of(Throwable thrown) {
        return told(thrown.getClass().getName(), messageOf(thrown));
    }

    /**
     * A failure with a text from outside, shortened like the message of an exception. A text that begins like a seal is
     * quoted, since a reader of the entry would take it for encrypted text.
     */
    public static Failure told(String type, String words) {
        String message = words.startsWith("idem-sealed;") ? "\"" + words + "\"" : words;
        return new Failure(FieldLimits.cut(type, FieldLimits.NAME), FieldLimits.cut(message, FieldLimits.TEXT));
    }

    private static String messageOf(Throwable thrown) {
        try {
            return Objects.requireNonNullElse(thrown.getMessage(), "");
        } catch (RuntimeException e) {
            return "(its message could not be had: " + e.getClass().getName() + ")";
        }
    }

    @Override
    public String toString() {
        return "Failure[" + type + "]";
    }
}
