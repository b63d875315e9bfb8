package dev.idem.testkit;

import java.util.Arrays;
import java.util.stream.Stream;

/** How often tests repeat themselves: as often as they can, unless {@code -Didem.quick=true} is set. */
public final class Thorough {
    private static final boolean QUICK = Boolean.getBoolean("idem.quick");

    private Thorough() {}

    /** The number of rounds, schedules, threads or processes. */
    public static int times(int quick, int thorough) {
        return QUICK ? quick : thorough;
    }

    /** The arguments of a test: all of them, or only the first ones. */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public static <T> Stream<T> first(int quick, T... all) {
        return Arrays.stream(all).limit(times(quick, all.length));
    }
}
