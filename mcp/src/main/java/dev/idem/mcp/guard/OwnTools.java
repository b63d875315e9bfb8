package dev.idem.mcp.guard;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tools of the guard itself, with which an agent finds out what it has done. They change nothing. */
final class OwnTools {
    private static final int MOST = 50;
    private static final String TEXT = "\"type\":\"string\"";
    private static final List<String> LISTED = List.of(
            described("idem_pending", "Lists the calls of this task that run or are in doubt.", "", ""),
            described(
                    "idem_status",
                    "Tells whether a tool was called with these arguments, and how the call ended. Calls nothing.",
                    "\"tool\":{" + TEXT + "},\"arguments\":{\"type\":\"object\"}",
                    "\"tool\""),
            described(
                    "idem_why",
                    "Tells what is known about the call with this key.",
                    "\"key\":{" + TEXT + "}",
                    "\"key\""));

    private final Idem idem;
    private final McpGuard guard;

    OwnTools(Idem idem, McpGuard guard) {
        this.idem = idem;
        this.guard = guard;
    }

    private static String described(String name, String description, String properties, String required) {
        return "{\"name\":\"" + name + "\",\"description\":\"" + description
                + "\",\"inputSchema\":{\"type\":\"object\",\"properties\":{" + properties + "},\"required\":["
                + required + "]},\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";
    }

    static boolean has(Message request) {
        return request.param("name") instanceof String name
                && LISTED.stream().anyMatch(each -> each.startsWith("{\"name\":\"" + name + "\","));
    }

    /** The last page of the server's list of tools, with these tools. */
    static byte[] listed(Message response) {
        byte[] tools = Splice.find(response.bytes(), "result", "tools");
        if (tools == null || response.result("nextCursor") != null) {
            return response.bytes();
        }
        String theirs = new String(tools, StandardCharsets.UTF_8).strip();
        boolean none = response.result("tools") instanceof List<?> list && list.isEmpty();
        String all = "[" + String.join(",", LISTED) + (none ? "]" : "," + theirs.substring(1));
        return Splice.replace(response.bytes(), all, "result", "tools");
    }

    /** The answer of one of these tools. A ledger that can't be read is told, so that the agent does not wait. */
    byte[] answer(HostCall call) {
        McpAnswers answers = new McpAnswers(call.request(), false);
        try {
            return answers.text(told(call), false);
        } catch (BadCallException e) {
            throw e;
        } catch (RuntimeException e) {
            return answers.text("The record of calls can't be read now, so this is unknown: " + e.getMessage(), true);
        }
    }

    private String told(HostCall call) {
        Message request = call.request();
        Map<?, ?> arguments = request.param("arguments") instanceof Map<?, ?> map ? map : Map.of();
        return switch (String.valueOf(request.param("name"))) {
            case "idem_pending" -> pending(call);
            case "idem_status" -> status(call, arguments);
            default -> why(call, arguments);
        };
    }

    private String pending(HostCall call) {
        List<Entry> entries =
                entries(Query.all().withScope(guard.scope(call)).withStates(State.IN_DOUBT, State.IN_PROGRESS));
        if (entries.isEmpty()) {
            return "No call of this task runs or is in doubt.";
        }
        String more = entries.size() < MOST ? "" : "\nThere may be more.";
        return entries.stream().map(OwnTools::told).collect(Collectors.joining("\n")) + more;
    }

    private String status(HostCall call, Map<?, ?> arguments) {
        Object given = arguments.get("arguments");
        String tool = String.valueOf(arguments.get("tool"));
        Address address = guard.address(call, tool, given instanceof Map<?, ?> map ? map : Map.of());
        return idem.find(address)
                .map(OwnTools::told)
                .orElse("'" + tool + "' was not called with these arguments in this task, or that is no longer kept. "
                        + "Calls under a key of the host can't be found in this way.");
    }

    private String why(HostCall call, Map<?, ?> arguments) {
        String key = String.valueOf(arguments.get("key"));
        return entries(Query.all().withScope(guard.scope(call)).withKey(key)).stream()
                .findFirst()
                .map(OwnTools::told)
                .orElse("No call of this task has the key " + key + ".");
    }

    private List<Entry> entries(Query query) {
        Browsable ledger = idem.ledger()
                .as(Browsable.class)
                .orElseThrow(() -> new IllegalStateException("the record can't be searched"));
        return ledger.browse(query.withLimit(MOST)).entries();
    }

    private static String told(Entry entry) {
        Instant since = entry.times().settled() == null
                ? entry.times().claimed()
                : entry.times().settled();
        String fields = new TreeMap<>(entry.labels())
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue() + ", ")
                        .collect(Collectors.joining());
        String state = switch (entry.state()) {
            case COMPLETE -> "was called and has taken effect. It is not to be called again.";
            case IN_PROGRESS -> "is running now.";
            case IN_DOUBT ->
                "was called, and it is unknown whether it took effect. Do not call it again: "
                        + "a person can settle it.";
            case FAILED -> "was called and failed without an effect. It may be called again.";
            default -> "is " + entry.state().word() + ".";
        };
        return "'" + entry.address().operation() + "' (" + fields + "key "
                + entry.address().key()
                + ", first called at " + entry.times().created() + ", "
                + entry.state().word() + " since " + since + ") "
                + state;
    }
}
