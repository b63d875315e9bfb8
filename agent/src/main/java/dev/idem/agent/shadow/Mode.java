package dev.idem.agent.shadow;

import java.util.Locale;
import java.util.Map;

/** Whether tools that change something run. */
public enum Mode {
    /** They do. */
    LIVE,
    /** Only READs run; everything else is recorded and answered with a stub. */
    SHADOW;

    /** The environment variable that chooses, where code does not. */
    public static final String VARIABLE = "IDEM_MODE";

    /**
     * What the environment says; {@link #LIVE} where it says nothing.
     *
     * @throws IllegalArgumentException when it says a word that is none of these: to guess would be to act
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
