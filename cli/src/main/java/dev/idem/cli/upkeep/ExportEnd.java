package dev.idem.cli.upkeep;

import dev.idem.Json;
import dev.idem.JsonException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last line of an export into a pipe or a file: the response envelope.
 *
 * @param whole whether the export is complete; false if a signal ended it
 */
record ExportEnd(boolean whole) {
    /** The end if the line is one; null for an entry or anything else. */
    static @Nullable ExportEnd of(String line) {
        if (!line.startsWith("{\"_summary\":") && !line.startsWith("{\"ok\":")) {
            return null;
        }
        try {
            return Json.parse(line) instanceof Map<?, ?> map && map.containsKey("meta") && !map.containsKey("id")
                    ? new ExportEnd(Boolean.TRUE.equals(map.get("ok")))
                    : null;
        } catch (JsonException e) {
            return null;
        }
    }
}
