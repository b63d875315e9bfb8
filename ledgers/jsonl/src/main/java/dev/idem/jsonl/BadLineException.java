package dev.idem.jsonl;

/** Describes a fault in a line without showing its text. */
final class BadLineException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadLineException(String why) {
        super(why);
    }

    BadLineException(String why, Throwable cause) {
        super(why, cause);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
