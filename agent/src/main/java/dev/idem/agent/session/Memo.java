package dev.idem.agent.session;

import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Vetted;
import dev.idem.agent.tool.Vetting;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what the same text of arguments came to. A model that repeats itself does so letter for letter, and to
 * parse, vet and derive a key costs more than to look up its entry.
 */
final class Memo {
    private static final int MOST = 256;
    private static final int LONGEST = 16 * 1024;

    private final Preparing preparing;
    private final ConcurrentHashMap<Text, Prepared> known = new ConcurrentHashMap<>();

    Memo(Preparing preparing) {
        this.preparing = preparing;
    }

    private record Text(Tool tool, String json, int occurrence) {}

    Vetting vet(Tool tool, ToolCall call) {
        Text text = text(tool, call);
        Prepared before = text == null ? null : known.get(text);
        if (before != null) {
            return new Vetting.Fits(before.vetted());
        }
        return call.json != null ? tool.vet(call.json) : tool.vet(call.arguments == null ? Map.of() : call.arguments);
    }

    Prepared prepare(Tool tool, Vetted vetted, ToolCall call) {
        Text text = text(tool, call);
        if (text == null) {
            return preparing.prepare(tool, vetted, call);
        }
        Prepared before = known.get(text);
        if (before != null) {
            return before;
        }
        Prepared prepared = preparing.prepare(tool, vetted, call);
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(text, prepared);
        return prepared;
    }

    private static @Nullable Text text(Tool tool, ToolCall call) {
        String json = call.json;
        return json == null || call.key != null || json.length() > LONGEST
                ? null
                : new Text(tool, json, call.occurrence);
    }
}
