package dev.idem.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** Formats the numbers of the report. */
final class Units {
    private Units() {}

    /** A time, in the unit people would use. */
    static String time(double nanos) {
        if (Math.abs(nanos) < 1e5) {
            return format("%.2f µs", nanos / 1e3);
        }
        return Math.abs(nanos) < 1e6 ? format("%.0f µs", nanos / 1e3) : format("%.1f ms", nanos / 1e6);
    }

    static String rate(double perSecond) {
        return format("%,.0f/s", perSecond);
    }

    static String times(double ratio) {
        return format("%.2f ×", ratio);
    }

    /** A ratio with the quarters of the rounds that were below and above. */
    static String times(double[] ratios) {
        return format("%.2f × (%.2f–%.2f)", quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75));
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    static double quantile(double[] values, double part) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.round(part * (sorted.length - 1))];
    }
}
