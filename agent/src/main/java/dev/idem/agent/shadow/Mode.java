package dev.idem.agent.shadow;

import java.util.Locale;
import java.util.Map;

/** Whether tools with effects run. */
public enum Mode {
    /** Tools run normally. */
    LIVE,
    /** Only READs run; all other calls are recorded and answered with a stub. */
    SHADOW;

    /** The environment variable that sets the mode, where code does not. */
    public static final String VARIABLE = "IDEM_MODE";

    /**
     * The mode of the environment; {@link #LIVE} by default.
     *
     * @throws IllegalArgumentException if the value is not a mode: a guess could run tools
     */
    public static Mode of(Map<String, String> environment) {
        String word = environment.getOrDefault(VARIABLE, "").strip().toLowerCase(Locale.ROOT);
        return switch (word) {
            case "", "live" -> LIVE;
            case "shadow", "dry-run", "dry_run" -> SHADOW;
            default -> throw new IllegalArgumentException(VARIABLE + " is '" + word + "'; it must be live or shadow");
        };
    }
}
