package dev.idem.agent.session;

import java.util.Locale;

/** Describes exceptions for a model. */
final class Failing {
    private static final int LONGEST = 500;

    private Failing() {}

    static String described(Throwable thrown) {
        String message = thrown.getMessage();
        String kind = thrown.getClass().getSimpleName();
        String words = kind.replaceAll("(Exception|Error)$", "").replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        // "Runtime" and the like say nothing.
        String what = words.isBlank() || words.equals("Runtime") ? "an error" : words.toLowerCase(Locale.ROOT);
        return message == null || message.isBlank() ? what : what + ": " + shortened(message);
    }

    static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
