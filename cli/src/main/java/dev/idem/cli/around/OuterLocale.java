package dev.idem.cli.around;

import java.util.Map;

/** The locale of the caller. The launcher sets another one for Java alone, so that it reads its arguments right. */
public final class OuterLocale {
    /** What {@code LC_ALL} was: its value, or {@code unset}. */
    private static final String KEPT = "IDEM_OUTER_LC_ALL";

    private OuterLocale() {}

    /** Makes an environment what it was before the launcher. */
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
