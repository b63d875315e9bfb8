package dev.idem.agent.check;

import dev.idem.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a report as SARIF 2.1.0. */
final class Sarif {
    private Sarif() {}

    static String of(CheckReport report) {
        List<Map<String, Object>> rules = Arrays.stream(Rule.values())
                .<Map<String, Object>>map(rule -> Map.of(
                        "id", rule.id(),
                        "shortDescription", Map.of("text", rule.title()),
                        "defaultConfiguration", Map.of("level", rule.severity().word())))
                .toList();
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "idem");
        driver.put("rules", rules);
        Map<String, @Nullable Object> run = new LinkedHashMap<>();
        run.put("tool", Map.of("driver", driver));
        run.put("results", report.findings().stream().map(Sarif::result).toList());
        Map<String, @Nullable Object> log = new LinkedHashMap<>();
        log.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
        log.put("version", "2.1.0");
        log.put("runs", List.of(run));
        return Json.write(log);
    }

    private static Map<String, Object> result(Finding finding) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ruleId", finding.rule());
        result.put("level", finding.severity().word());
        result.put(
                "message",
                Map.of("text", "'" + finding.tool() + "': " + finding.message() + ". Fix: " + finding.fix()));
        result.put(
                "locations",
                List.of(Map.of(
                        "physicalLocation",
                        Map.of("artifactLocation", Map.of("uri", uri(finding.source()))),
                        "logicalLocations",
                        List.of(Map.of("name", finding.tool(), "kind", "function")))));
        return result;
    }

    /** A path as a relative reference; any other text, such as the name of a class, unchanged. */
    private static String uri(String source) {
        return source.replace('\\', '/').replace(" ", "%20");
    }
}
