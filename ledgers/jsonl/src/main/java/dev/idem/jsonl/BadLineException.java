package dev.idem.jsonl;

/** Says what is wrong with a line, without showing what stands in it. */
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
