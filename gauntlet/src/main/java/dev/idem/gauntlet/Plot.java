package dev.idem.gauntlet;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Bars on a scale by powers of ten, from the naive floor of each store to the left and to the right. */
final class Plot {
    private static final int WIDTH = 1000;
    private static final int NAMES = 250;
    private static final int FIGURES = 110;
    private static final int LINE = 22;
    private static final int HEAD = 30;
    private static final double MARGIN = 0.03;

    private final String title;
    private final Map<Field.Entry, Speed> speeds;
    private final Function<Speed, Speed.Time> measure;
    private final double lowest;
    private final double highest;

    Plot(String title, Map<Field.Entry, Speed> speeds, Function<Speed, Speed.Time> measure) {
        this.title = title;
        this.speeds = speeds;
        this.measure = measure;
        List<Double> powers = speeds.values().stream()
                .map(speed -> Math.log10(measure.apply(speed).timesNaive()))
                .toList();
        lowest = Math.min(0, powers.stream().mapToDouble(each -> each).min().orElse(0)) - MARGIN;
        highest = Math.max(1, powers.stream().mapToDouble(each -> each).max().orElse(1)) + MARGIN;
    }

    String svg() {
        StringBuilder marks = new StringBuilder();
        int y = HEAD;
        for (Map.Entry<String, List<Field.Entry>> store : byStore().entrySet()) {
            marks.append(text(0, y + 14, "soft", "start", store.getKey()));
            for (Field.Entry entry : store.getValue()) {
                marks.append(bar(entry, y));
                y += LINE;
            }
            y += LINE / 2;
        }
        StringBuilder grid = new StringBuilder();
        for (int power = (int) Math.ceil(lowest); power <= highest; power++) {
            grid.append(line(power, y - LINE / 2));
        }
        String name = Page.escape(title);
        return "<h3>" + name + "</h3>\n<svg role=\"img\" aria-label=\"" + name + "\" viewBox=\"0 0 " + WIDTH + " " + y
                + "\">" + grid + marks + "</svg>\n";
    }

    private String line(int power, int foot) {
        return String.format(
                        Locale.ROOT,
                        "<line class=\"%s\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%d\" y2=\"%d\"/>",
                        power == 0 ? "one" : "grid",
                        x(power),
                        x(power),
                        HEAD - 6,
                        foot)
                + text(x(power), HEAD - 12, "soft", "middle", label(power));
    }

    private Map<String, List<Field.Entry>> byStore() {
        return speeds.keySet().stream()
                .collect(Collectors.groupingBy(
                        entry -> entry.store().replaceAll(" .*", ""), LinkedHashMap::new, Collectors.toList()));
    }

    private String bar(Field.Entry entry, int y) {
        Speed speed = Objects.requireNonNull(speeds.get(entry));
        Speed.Time time = measure.apply(speed);
        double at = x(Math.log10(time.timesNaive()));
        double left = Math.min(at, x(0)) - 1;
        double width = Math.abs(at - x(0)) + 2;
        boolean twice = speed.runs() > 1;
        String kind = twice ? "twice" : entry.kind().name().toLowerCase(Locale.ROOT);
        String figure = micros(time.micros()) + (twice ? String.format(Locale.ROOT, ", %.2f runs", speed.runs()) : "");
        return text(NAMES - 10, y + 14, "", "end", nameOf(entry))
                + String.format(
                        Locale.ROOT,
                        "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"14\" rx=\"2\"/>",
                        kind,
                        left,
                        y + 3,
                        width)
                + text(Math.max(at, x(0)) + 8, y + 14, "soft", "start", figure);
    }

    private static String nameOf(Field.Entry entry) {
        int space = entry.store().indexOf(' ');
        return entry.name() + (space < 0 ? "" : "," + entry.store().substring(space));
    }

    private double x(double power) {
        return NAMES + (WIDTH - NAMES - FIGURES) * (power - lowest) / (highest - lowest);
    }

    private static String label(int power) {
        return power < 0 ? "1/" + (long) Math.pow(10, -power) : (long) Math.pow(10, power) + " ×";
    }

    static String micros(double micros) {
        return micros < 10
                ? String.format(Locale.ROOT, "%.2f µs", micros)
                : micros < 10_000
                        ? String.format(Locale.ROOT, "%.0f µs", micros)
                        : String.format(Locale.ROOT, "%.1f ms", micros / 1_000);
    }

    private static String text(double x, int y, String style, String anchor, String words) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%.0f\" y=\"%d\"%s text-anchor=\"%s\">%s</text>",
                x,
                y,
                style.isEmpty() ? "" : " class=\"" + style + "\"",
                anchor,
                Page.escape(words));
    }
}
