package dev.idem.agent.check;

import dev.idem.Json;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a check, the worst first. Immutable.
 *
 * @param tools how many tools were looked at
 */
public record CheckReport(int tools, List<Finding> findings) {
    private static final Comparator<Finding> ORDER =
            Comparator.comparing(Finding::severity).thenComparing(Finding::tool).thenComparing(Finding::rule);

    /** Sorts the findings. */
    public CheckReport {
        findings = findings.stream().sorted(ORDER).toList();
    }

    /** Whether there is a finding of this severity or a worse one. */
    public boolean has(Severity least) {
        return findings.stream().anyMatch(finding -> finding.severity().compareTo(least) <= 0);
    }

    /** For a build: 1 if there is a finding of this severity or a worse one, else 0. */
    public int exitCode(Severity least) {
        return has(least) ? 1 : 0;
    }

    /** The report as text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Finding finding : findings) {
            text.append(finding.severity().word())
                    .append("  ")
                    .append(finding.tool())
                    .append("  [")
                    .append(finding.rule())
                    .append("]  ")
                    .append(finding.source())
                    .append("\n    ")
                    .append(finding.message())
                    .append("\n    fix: ")
                    .append(finding.fix())
                    .append('\n');
        }
        return text.append(summary()).append('\n').toString();
    }

    /** One line: {@code 3 tools checked: 1 error, 2 warnings, 0 notes}. */
    public String summary() {
        return counted(tools, "tool") + " checked: " + counted(count(Severity.ERROR), "error") + ", "
                + counted(count(Severity.WARNING), "warning") + ", " + counted(count(Severity.NOTE), "note");
    }

    /** The report as JSON. */
    public String json() {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("tools", tools);
        report.put(
                "findings",
                findings.stream()
                        .map(finding -> {
                            Map<String, @Nullable Object> members = new LinkedHashMap<>();
                            members.put("rule", finding.rule());
                            members.put("severity", finding.severity().word());
                            members.put("tool", finding.tool());
                            members.put("source", finding.source());
                            members.put("message", finding.message());
                            members.put("fix", finding.fix());
                            return members;
                        })
                        .toList());
        return Json.write(report);
    }

    /** SARIF 2.1.0, which code hosts show beside the code. */
    public String sarif() {
        return Sarif.of(this);
    }

    private long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
