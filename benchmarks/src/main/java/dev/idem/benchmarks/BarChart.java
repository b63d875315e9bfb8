package dev.idem.benchmarks;

import java.util.List;

/**
 * A picture of bars, as SVG. It has its own paper, which is light or dark as the reader has chosen for all pages.
 *
 * @param title the question that the picture answers
 * @param unit the unit of all values
 * @param note the run that gave the figures, a line each
 */
record BarChart(String title, String unit, List<Bar> bars, List<String> note) {
    private static final int WIDTH = 860;
    private static final int LEFT = 210;
    private static final int SCALE = 350;
    private static final int TOP = 64;
    private static final int THICK = 18;
    private static final int TICKS = 5;

    private static final String STYLE = """
            <style>
              text { font: 13px system-ui, sans-serif; fill: #1f2328; stroke: #ffffff; stroke-width: 4px; paint-order: stroke }
              .title { font-size: 17px; font-weight: 600 }
              .small { font-size: 11px; fill: #59636e }
              .paper { fill: #ffffff }
              .grid { stroke: #d1d9e0 }
              .idem { fill: #0969da }
              .floor { fill: #818b98 }
              @media (prefers-color-scheme: dark) {
                text { fill: #f0f6fc; stroke: #0d1117 }
                .small { fill: #9198a1 }
                .paper { fill: #0d1117 }
                .grid { stroke: #3d444d }
                .idem { fill: #4493f8 }
              }
            </style>
            """;

    /**
     * One bar.
     *
     * @param label the text to the left of it; empty for the second bar of a group
     * @param value its length, in the unit of the picture
     * @param text the text at its end
     * @param kind {@code idem}, or {@code floor} for the bar that Idem is compared with
     */
    record Bar(String label, double value, String text, String kind) {}

    String svg() {
        double step = step();
        double most = Math.ceil(longest() / step) * step;
        StringBuilder rows = new StringBuilder();
        int y = TOP;
        for (Bar bar : bars) {
            y += bar.label().isEmpty() ? 2 : 14;
            rows.append(text("", LEFT - 10, y + 14, "end", bar.label()))
                    .append(Units.format(
                            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                            bar.kind(), LEFT, y, bar.value() / most * SCALE, THICK))
                    .append(text("", LEFT + bar.value() / most * SCALE + 6, y + 14, "start", bar.text()));
            y += THICK;
        }
        int bottom = y + 10;
        StringBuilder axis = new StringBuilder();
        for (double at = 0; at <= most + step / 2; at += step) {
            double x = LEFT + at / most * SCALE;
            axis.append(Units.format(
                            "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x, TOP, x, bottom))
                    .append(text("small", x, bottom + 14, "middle", Units.format("%,.0f", at)));
        }
        axis.append(text("small", LEFT + SCALE + 40, bottom + 14, "start", unit));
        y = bottom + 24;
        StringBuilder notes = new StringBuilder();
        for (String line : note) {
            y += 15;
            notes.append(text("small", 16, y, "start", line));
        }
        int height = y + 14;
        return Units.format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                                + " role=\"img\">\n<title>%s</title>\n",
                        WIDTH, height, WIDTH, height, escaped(title))
                + STYLE
                + Units.format("<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", WIDTH, height)
                + text("title", 16, 30, "start", title)
                + "<rect class=\"idem\" x=\"16\" y=\"42\" width=\"12\" height=\"12\"/>\n"
                + text("", 34, 53, "start", "Idem")
                + "<rect class=\"floor\" x=\"84\" y=\"42\" width=\"12\" height=\"12\"/>\n"
                + text("", 102, 53, "start", "the floor, measured in the same run")
                + axis
                + rows
                + notes
                + "</svg>\n";
    }

    private double longest() {
        return bars.stream().mapToDouble(Bar::value).max().orElseThrow();
    }

    /** The distance of two lines of the scale: 1, 2 or 5 with zeros, and at least 1. */
    private double step() {
        double least = Math.max(1, longest() / TICKS);
        double ten = Math.pow(10, Math.floor(Math.log10(least)));
        for (double times : new double[] {1, 2, 5}) {
            if (times * ten >= least) {
                return times * ten;
            }
        }
        return 10 * ten;
    }

    private static String text(String kind, double x, double y, String anchor, String text) {
        return text.isEmpty()
                ? ""
                : Units.format(
                        "<text%s x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                        kind.isEmpty() ? "" : " class=\"" + kind + "\"", x, y, anchor, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
