package dev.idem.cli.around;

import java.util.Map;

/** The locale of the caller. The launcher sets another one only for Java, so that it decodes its arguments. */
public final class OuterLocale {
    /** The original {@code LC_ALL}: its value, or {@code unset}. */
    private static final String KEPT = "IDEM_OUTER_LC_ALL";

    private OuterLocale() {}

    /** Restores the environment to that before the launcher. */
    public static void restore(Map<String, String> env) {
        String outer = env.remove(KEPT);
        if (outer == null) {
            return;
        }
        if (outer.equals("unset")) {
            env.remove("LC_ALL");
        } else {
            env.put("LC_ALL", outer);
        }
    }
}
