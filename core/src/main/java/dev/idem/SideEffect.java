package dev.idem;

import java.util.Locale;

/** The declared side effect of an operation. It decides the defaults of its {@link Policy}. Default: {@link #WRITE}. */
public enum SideEffect {
    /** Changes nothing: has no entry and runs on every call. */
    READ,
    /** Running it again with the same key does no harm: after a crash or an ambiguous failure it runs again. */
    IDEMPOTENT,
    /** Running it twice does harm: after a crash or an ambiguous failure it is in doubt, unless it can be probed. */
    WRITE,
    /** Running it twice does great harm: a duplicate in flight is refused, and nothing ever runs it again by itself. */
    DESTRUCTIVE;

    /** The word used on the command line and in JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The stricter of two declarations: destructive wins over everything. */
    public SideEffect and(SideEffect other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
