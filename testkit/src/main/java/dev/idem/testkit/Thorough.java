package dev.idem.testkit;

/** How often tests of chance repeat themselves: as often as they can, unless {@code -Didem.quick=true} is set. */
public final class Thorough {
    private static final boolean QUICK = Boolean.getBoolean("idem.quick");

    private Thorough() {}

    /** The number of rounds, schedules, threads or processes. */
    public static int times(int quick, int thorough) {
        return QUICK ? quick : thorough;
    }
}
