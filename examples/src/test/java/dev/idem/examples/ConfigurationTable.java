package dev.idem.examples;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table of the configuration page: what stands in the second column, by what stands in the first. */
final class ConfigurationTable {
    private ConfigurationTable() {}

    /** The table under a heading; names in code style lose their quotes. */
    static Map<String, String> under(String heading) {
        List<String> lines = Pages.text(Pages.root().resolve("docs/configuration.md"))
                .lines()
                .toList();
        int at = lines.indexOf("## " + heading);
        if (at < 0) {
            throw new IllegalStateException("docs/configuration.md has no heading '" + heading + "'");
        }
        while (!lines.get(at).startsWith("|---")) {
            at++;
        }
        Map<String, String> rows = new LinkedHashMap<>();
        for (int i = at + 1; lines.get(i).startsWith("|"); i++) {
            String[] cells = lines.get(i).split("\\|", -1);
            rows.put(cells[1].strip().replace("`", ""), cells[2].strip().replace("`", ""));
        }
        return rows;
    }
}
