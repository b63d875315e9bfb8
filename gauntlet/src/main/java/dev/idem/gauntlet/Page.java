package dev.idem.gauntlet;

import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The report as one HTML page that needs nothing else. */
final class Page {
    private static final String HEAD = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>The gauntlet</title><style>
            body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;color:#222}
            table{border-collapse:collapse;width:100%;font-size:13px}th,td{border:1px solid #ddd;padding:.3rem .5rem;
            text-align:left;vertical-align:top}.RIGHT{background:#e5f5e8}.WRONG{background:#fbe3e1}.NOT_OFFERED{color:#666}
            pre{background:#f6f6f6;padding:.7rem}.wide{overflow-x:auto}
            @media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}pre{background:#222}th,td{border-color:#444}
            .RIGHT{background:#17351d}.WRONG{background:#4a1c18}.NOT_OFFERED{color:#999}}</style><h1>The gauntlet</h1>
            """;

    private final Report report;

    Page(Report report) {
        this.report = report;
    }

    String html() {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<pre>").append(escape(report.setting())).append("</pre><h2>Is it right?</h2><p>");
        page.append(
                        "Right: the effect took place once for each key, nobody got a value that its own operation with its")
                .append(
                        " own payload did not make, and nobody was left with a false belief. A refusal is right; a silent")
                .append(" drop only after a success.</p><div class=wide><table><tr><th></th>");
        for (RightScenario scenario : Judge.scenarios()) {
            page.append("<th>").append(escape(scenario.name())).append("</th>");
        }
        page.append("</tr>");
        report.verdicts().forEach((entry, cells) -> page.append(row(entry, cells)));
        page.append("</table></div>");
        if (!report.speeds().isEmpty()) {
            page.append("<h2>Is it fast?</h2><p>Times its floor, on a scale by powers of ten;")
                    .append(" microseconds and runs for each contended key beside it. Red: ran more than once.</p>");
            page.append(plot("first call", Speed::first));
            page.append(plot("replay", Speed::replay));
            page.append(plot("8 callers at once, 1 ms of work", Speed::crowd));
        }
        return page.append("</html>\n").toString();
    }

    private static String row(Field.Entry entry, Map<String, Verdict> cells) {
        StringBuilder row =
                new StringBuilder("<tr><th>").append(escape(entry.title())).append("</th>");
        for (RightScenario scenario : Judge.scenarios()) {
            Verdict verdict = cells.getOrDefault(scenario.name(), Verdict.notOffered());
            row.append("<td class=").append(verdict.grade()).append("><b>");
            row.append(verdict.grade().word())
                    .append("</b> ")
                    .append(escape(verdict.observed()))
                    .append("</td>");
        }
        return row.append("</tr>").toString();
    }

    private String plot(String title, Function<Speed, Speed.Time> measure) {
        StringBuilder bars = new StringBuilder();
        int y = 0;
        for (Map.Entry<Field.Entry, Speed> each : report.speeds().entrySet()) {
            Speed.Time time = measure.apply(each.getValue());
            // A floor has a bar of one step, so that it is seen; every tenfold adds 120.
            double width = Math.max(2, 30 + 120 * Math.log10(time.ratio()));
            boolean once = each.getValue().runs() <= 1;
            bars.append(String.format(
                    Locale.ROOT,
                    "<text x='0' y='%d' fill='currentColor'>%s</text><rect x='250' y='%d' width='%.0f' height='14'"
                            + " fill='%s'/><text x='%.0f' y='%d' fill='currentColor'>%s, %.2f runs</text>",
                    y + 13,
                    escape(each.getKey().title()),
                    y + 2,
                    width,
                    once ? "#3b7dd8" : "#c0392b",
                    256 + width,
                    y + 13,
                    escape(Report.cell(time)),
                    each.getValue().runs()));
            y += 20;
        }
        return "<h3>" + escape(title) + "</h3><svg role='img' aria-label='" + escape(title)
                + "' width='100%' viewBox='0 0 900 " + y + "' font-size='12'>" + bars + "</svg>";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;");
    }
}
