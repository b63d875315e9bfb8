package dev.idem.jsonl.line;

/** Describes a fault in a line without showing its text. */
public final class BadLineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadLineException(String why) {
        super(why);
    }

    BadLineException(String why, Throwable cause) {
        super(why, cause);
    }

    public String why() {
        return String.valueOf(getMessage());
    }
}
