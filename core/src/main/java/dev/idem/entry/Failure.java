package dev.idem.entry;

/**
 * What went wrong, as it is stored. The message may hold secrets, so {@link #toString()} leaves it out.
 *
 * @param type the class of the exception, or another stable name
 * @param message its message; empty when there was none
 */
public record Failure(String type, String message) {
    private static final int LONGEST = 4_000;

    /** The failure behind a thrown exception; very long messages are shortened, and say so. */
    public static Failure of(Throwable thrown) {
        String message = thrown.getMessage();
        if (message == null) {
            message = "";
        } else if (message.length() > LONGEST) {
            message = message.substring(0, LONGEST) + "… (" + message.length() + " characters)";
        }
        return new Failure(thrown.getClass().getName(), message);
    }

    @Override
    public String toString() {
        return "Failure[" + type + "]";
    }
}
