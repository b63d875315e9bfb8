package dev.idem.gauntlet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** The report as one HTML page that needs nothing else. */
final class Page {
    private final Report report;

    Page(Report report) {
        this.report = report;
    }

    String html() {
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<title>The gauntlet</title><style>\n" + style() + "</style></head><body>\n"
                + "<h1>The gauntlet</h1>\n<p class=\"lead\">The same scenarios, put to Idem, to other libraries and to what"
                + " one would write without a library, in one run.</p>\n<pre>" + escape(report.setting()) + "</pre>\n"
                + right() + fast() + contenders() + "</body></html>\n";
    }

    private static String style() {
        try (InputStream in = Page.class.getResourceAsStream("page.css")) {
            if (in == null) {
                throw new IllegalStateException("page.css is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String right() {
        StringBuilder page =
                new StringBuilder("<h2>Is it right?</h2>\n<p>Right: the effect took place once for each key,"
                        + " every caller got only values that its own operation with its own payload made, and no caller was left with a"
                        + " false belief. To refuse a duplicate is right; to drop it silently is right only after a success."
                        + " The rule is Idem&#39;s definition of a caller&#39;s needs.</p>\n<p class=\"key\"><span><b class=\"RIGHT\">✓</b>"
                        + " right</span><span><b class=\"WRONG\">✗</b> wrong</span><span>– not offered</span>"
                        + "<span>? the scenario itself failed</span></p>\n"
                        + "<div class=\"wide\"><table class=\"matrix\"><thead><tr><th></th>");
        for (RightScenario scenario : Judge.scenarios()) {
            page.append("<th scope=\"col\">").append(escape(scenario.name())).append("</th>");
        }
        page.append("<th scope=\"col\">wrong</th></tr></thead><tbody>\n");
        String group = "";
        for (Map.Entry<Field.Entry, Map<String, Verdict>> each :
                report.verdicts().entrySet()) {
            String next = group(each.getKey());
            if (!next.equals(group)) {
                page.append("<tr class=\"group\"><td colspan=\"")
                        .append(Judge.scenarios().size() + 2)
                        .append("\">")
                        .append(next)
                        .append("</td></tr>\n");
                group = next;
            }
            page.append(row(each.getKey(), each.getValue()));
        }
        page.append("</tbody></table></div>\n<h3>What was seen</h3>\n");
        report.verdicts().forEach((entry, cells) -> page.append(seen(entry, cells)));
        return page.toString();
    }

    static String group(Field.Entry entry) {
        return switch (entry.kind()) {
            case IDEM -> "Idem";
            case PEER -> "Other libraries";
            case FLOOR -> "Without a library";
        };
    }

    private static String row(Field.Entry entry, Map<String, Verdict> cells) {
        StringBuilder row = new StringBuilder("<tr><th scope=\"row\">" + escape(entry.title()) + "</th>");
        for (RightScenario scenario : Judge.scenarios()) {
            Verdict verdict = cells.getOrDefault(scenario.name(), Verdict.notOffered());
            row.append(String.format(
                    Locale.ROOT,
                    "<td class=\"%s\" title=\"%s\" aria-label=\"%s\">%s</td>",
                    verdict.grade(),
                    escape(verdict.observed()),
                    escape(verdict.grade().word() + ": " + verdict.observed()),
                    sign(verdict.grade())));
        }
        long asked = Report.count(cells, Verdict.Grade.RIGHT) + Report.count(cells, Verdict.Grade.WRONG);
        return row.append("<td class=\"score\">")
                .append(Report.count(cells, Verdict.Grade.WRONG))
                .append(" of ")
                .append(asked)
                .append("</td></tr>\n")
                .toString();
    }

    private static String sign(Verdict.Grade grade) {
        return switch (grade) {
            case RIGHT -> "✓";
            case WRONG -> "✗";
            case NOT_OFFERED -> "–";
            case NOT_JUDGED -> "?";
        };
    }

    private static String seen(Field.Entry entry, Map<String, Verdict> cells) {
        StringBuilder lines = new StringBuilder("<details><summary>" + escape(entry.title()) + " <span>"
                + Report.count(cells, Verdict.Grade.WRONG) + " wrong</span></summary><table>");
        cells.forEach((scenario, verdict) -> lines.append("<tr><td class=\"")
                .append(verdict.grade())
                .append("\">")
                .append(sign(verdict.grade()))
                .append("</td><td>")
                .append(escape(scenario))
                .append("</td><td>")
                .append(escape(verdict.observed()))
                .append("</td></tr>"));
        return lines.append("</table></details>\n").toString();
    }

    private String fast() {
        if (report.speeds().isEmpty()) {
            return "";
        }
        return "<h2>Is it fast?</h2>\n<p>How many times the naive floor of its store each takes, on a scale by powers of"
                + " ten: what is left of the line is quicker than the floor. In memory the floor is a map of futures, on"
                + " files and servers the plainest table or key. Contender and floors take turns. Beside the bar stand"
                + " microseconds, medians of all rounds.</p>\n<p class=\"note\">Camel and Spring Integration claim a key and"
                + " keep no result: a duplicate is dropped, so their replay is a look-up without an answer. A library that"
                + " runs twice has no speed.</p>\n<p class=\"key\"><span><i class=\"idem\"></i>Idem</span><span><i"
                + " class=\"peer\"></i>other libraries</span><span><i class=\"floor\"></i>without a library</span><span><i"
                + " class=\"twice\"></i>ran more than once for a key</span></p>\n"
                + new Plot("First call, one thread", report.speeds(), Speed::first).svg()
                + new Plot("Replay, one thread", report.speeds(), Speed::replay).svg()
                + new Plot("Eight callers of one new key at once, 1 ms of work", report.speeds(), Speed::crowd).svg()
                + numbers();
    }

    private String numbers() {
        StringBuilder table =
                new StringBuilder("<h3>The numbers</h3>\n<p class=\"note\">Microseconds; times naive; times by"
                        + " hand, which is Idem&#39;s own statements or scripts sent by the bare driver.</p>\n<div class=\"wide\">"
                        + "<table class=\"numbers\"><thead><tr><th></th><th>first call</th><th>replay</th><th>8 at once</th>"
                        + "<th>runs a key</th></tr></thead><tbody>\n");
        report.speeds()
                .forEach((entry, speed) -> table.append(String.format(
                        Locale.ROOT,
                        "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td><td>%.2f</td></tr>%n",
                        escape(entry.title()),
                        cell(speed.first()),
                        cell(speed.replay()),
                        cell(speed.crowd()),
                        speed.runs())));
        return table.append("</tbody></table></div>\n").toString();
    }

    private static String cell(Speed.Time time) {
        String byHand = time.timesByHand().isPresent()
                ? String.format(Locale.ROOT, " · %.2f ×", time.timesByHand().getAsDouble())
                : "";
        return Plot.micros(time.micros()) + String.format(Locale.ROOT, " · %.2f ×%s", time.timesNaive(), byHand);
    }

    private String contenders() {
        StringBuilder list = new StringBuilder("<h2>How each is set up</h2>\n<div class=\"wide\"><table>");
        report.configurations()
                .forEach((entry, words) -> list.append("<tr><th scope=\"row\">")
                        .append(escape(entry.title()))
                        .append("</th><td>")
                        .append(escape(words))
                        .append("</td></tr>\n"));
        return list.append("</table></div>\n").toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
