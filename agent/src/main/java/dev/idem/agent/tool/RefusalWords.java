package dev.idem.agent.tool;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Texts for the model about a call of a tool that was not made. They never suggest other arguments. */
public record RefusalWords(String tool) {
    private String said(String what) {
        return "'" + tool + "' " + what;
    }

    /** An exception in words: its kind without the names of Java, and its message. */
    public static String described(Throwable thrown) {
        String message = thrown.getMessage();
        String kind = thrown.getClass().getSimpleName();
        String words = kind.replaceAll("(Exception|Error)$", "").replaceAll("(?<=[a-z])(?=[A-Z])", " ");
        // "Runtime" and the like say nothing.
        String what = words.isBlank() || words.equals("Runtime") ? "an error" : words.toLowerCase(Locale.ROOT);
        return message == null || message.isBlank() ? what : what + ": " + message;
    }

    public String inFlight(Instant since) {
        return said("was not called: the very same call is running right now, since "
                + since.truncatedTo(ChronoUnit.SECONDS)
                + ". Nothing was started twice. Wait a little, then call it again to get its result.");
    }

    public String conflict() {
        return said(
                "was not called: the same call was made before with other arguments, and both can't be the same thing. "
                        + "Repeat the first arguments to get the first result.");
    }

    public String expired() {
        return said("was not called: it was done long ago, and its result is no longer kept. Do not repeat it.");
    }

    /** It is done, and its result can't be given; {@code why} is empty where the reason is not known. */
    public String withoutResult(String why) {
        return said("has already run for this and has taken effect, but its result is not known here"
                + (why.isEmpty() ? "" : " (" + why + ")")
                + ". It was not run again. Do not repeat it; look up the result with another tool if you need it.");
    }

    /** The failure of another call, which this one waited for or which is kept. */
    public String failedBefore(String message) {
        return said("failed in the call that this one waited for: " + message
                + ". It had no effect. You may correct the cause and call it again.");
    }

    /** An earlier call is in doubt; {@code next} says what settles it. */
    public String inDoubt(String next) {
        return said(
                "was not called: an earlier call of it did not end clearly, and it is unknown whether that took effect. "
                        + next);
    }

    /** Only a person settles the doubt about this key. */
    public static String settledByAPerson(String key) {
        return "Do not call it again: it will not run until somebody has found out. Tell the user that it is unclear, and "
                + "that " + person(key);
    }

    /**
     * The next call settles the doubt about this key.
     *
     * @param seconds how long after its call it may still be running; 0 where that does not matter
     */
    public static String settledByTheNextCall(String key, long seconds) {
        String found = "and it does not take effect twice. If it stays unclear, tell the user that " + person(key);
        return seconds <= 0
                ? "You may call it again with exactly the same arguments, now or in some minutes: it is then found out, "
                        + found
                : "Do not call it again now: it may still be running until " + seconds
                        + " seconds after it was called. "
                        + "A call with exactly the same arguments after that finds it out, " + found;
    }

    private static String person(String key) {
        return "a person can settle it under the key " + key + ".";
    }
}
