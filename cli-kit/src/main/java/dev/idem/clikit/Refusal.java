package dev.idem.clikit;

import dev.idem.NotExecutedException;
import dev.idem.command.ExitCode;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a command that did nothing, with the reason. Always definite, so the same key may run again.
 *
 * <p>Its message is shown to the caller and stored in the ledger.
 */
public final class Refusal extends NotExecutedException {
    private static final long serialVersionUID = 1;

    private final ExitCode exit;
    private final String code;
    private final @Nullable Duration retryAfter;

    private Refusal(ExitCode exit, String code, String message, @Nullable Duration retryAfter) {
        super(message);
        this.exit = exit;
        this.code = upper(code);
        this.retryAfter = retryAfter;
    }

    /** A condition does not hold yet: exit 4, and the identical call may succeed later. */
    public static Refusal precondition(String code, String message) {
        return new Refusal(ExitCode.PRECONDITION, code, message, null);
    }

    /** The object of the command does not exist: exit 5. */
    public static Refusal notFound(String code, String message) {
        return new Refusal(ExitCode.NOT_FOUND, code, message, null);
    }

    /** The current state forbids it: exit 6. */
    public static Refusal conflict(String code, String message) {
        return new Refusal(ExitCode.CONFLICT, code, message, null);
    }

    /** The caller may not: exit 7. */
    public static Refusal permission(String code, String message) {
        return new Refusal(ExitCode.PERMISSION_DENIED, code, message, null);
    }

    /** A service can't be reached: exit 12, and the identical call may succeed later. */
    public static Refusal unavailable(String code, String message) {
        return new Refusal(ExitCode.UNAVAILABLE, code, message, null);
    }

    /** The same, with the time after which a retry is worth it. */
    public Refusal retryAfter(Duration time) {
        Refusal later = new Refusal(exit, code, String.valueOf(getMessage()), time);
        later.setStackTrace(getStackTrace());
        return later;
    }

    /** The exit code of the process. */
    public ExitCode exit() {
        return exit;
    }

    /** A stable word for programs, in capitals: {@code mail_down} becomes {@code MAIL_DOWN}. */
    public String code() {
        return code;
    }

    /** After which time a retry is worth it; null when it is unknown. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Codes match {@code [A-Z][A-Z0-9_]+}. Other words are corrected, because a throw must not fail. */
    private static String upper(String given) {
        String word = given.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
        return word.matches("[A-Z].+") ? word : "REFUSED_" + word;
    }
}
