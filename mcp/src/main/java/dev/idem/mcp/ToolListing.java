package dev.idem.mcp;

import dev.idem.mcp.NoToolListException.Reason;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.OneLine;
import dev.idem.mcp.guard.RpcError;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for its tools. It calls none of them.
 *
 * <p>It begins as all revisions before 2026-07-28 do, with {@code initialize}. A server that refuses that is asked as the
 * later revisions want it: without a beginning, and with the client in the {@code _meta} of each request.
 */
public final class ToolListing {
    private static final String WITH_BEGINNING = "2025-11-25";
    private static final String WITHOUT_BEGINNING = "2026-07-28";
    private static final int MOST_TOOLS = 10_000;
    private static final int LONGEST_SHOWN = 200;
    private static final Map<String, Object> NOTHING = Map.of();

    private final Conversation server;
    private final Map<String, Object> client;
    private final Map<String, Map<?, ?>> tools = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    private ToolListing(Conversation server, String version) {
        this.server = server;
        this.client = Map.of("name", "idem", "version", version);
    }

    /**
     * Starts a server, reads all pages of its list, and ends the server.
     *
     * @param version of this program, which the server is told
     * @param limit for all answers together
     * @throws IOException if the command can't be started
     */
    public static ToolList of(List<String> command, String version, Duration limit)
            throws IOException, NoToolListException, InterruptedException {
        try (Conversation server = new ProcessConversation(command, limit)) {
            return new ToolListing(server, version).list();
        }
    }

    /**
     * Reads all pages of the list of a server that is reached over HTTP.
     *
     * @param version of this program, which the server is told
     * @param limit for all answers together
     */
    public static ToolList of(URI server, String version, Duration limit)
            throws NoToolListException, InterruptedException {
        try (Conversation asked = new HttpConversation(server, limit)) {
            return new ToolListing(asked, version).list();
        }
    }

    private ToolList list() throws NoToolListException, InterruptedException {
        Message beginning = server.ask(
                "initialize", Map.of("protocolVersion", WITH_BEGINNING, "capabilities", NOTHING, "clientInfo", client));
        boolean begun = !beginning.isError();
        if (begun) {
            server.tell("notifications/initialized");
        }
        Object info = beginning.result("serverInfo");
        Set<String> cursors = new HashSet<>();
        String cursor = null;
        do {
            Message page = server.ask("tools/list", params(begun, cursor));
            if (page.isError()) {
                requireNoTools(page, begun ? null : beginning);
            }
            learn(page);
            if (page.result("_meta") instanceof Map<?, ?> meta && info == null) {
                info = meta.get(Message.META + "serverInfo");
            }
            cursor = page.result("nextCursor") instanceof String next ? next : null;
        } while (cursor != null && goesOn(cursors.add(cursor)));
        if (!server.other().isEmpty()) {
            remarks.add("the server can be read" + server.other());
        }
        return new ToolList(name(info), List.copyOf(tools.values()), remarks);
    }

    private Map<String, Object> params(boolean begun, @Nullable String cursor) {
        Map<String, Object> params = new LinkedHashMap<>();
        if (cursor != null) {
            params.put("cursor", cursor);
        }
        if (!begun) {
            params.put(
                    "_meta",
                    Map.of(
                            Message.META + "protocolVersion", WITHOUT_BEGINNING,
                            Message.META + "clientInfo", client,
                            Message.META + "clientCapabilities", NOTHING));
        }
        return params;
    }

    /** A server without tools may not know the method. Any other error is the end. */
    private void requireNoTools(Message error, @Nullable Message alsoRefused) throws NoToolListException {
        boolean unknown = error.members().get("error") instanceof Map<?, ?> members
                && Long.valueOf(RpcError.METHOD_NOT_FOUND).equals(members.get("code"));
        if (alsoRefused != null) {
            throw new NoToolListException(
                    Reason.REFUSED,
                    "the server refuses initialize (" + said(alsoRefused) + ") and tools/list (" + said(error) + ")");
        } else if (!unknown) {
            throw new NoToolListException(Reason.REFUSED, "the server refuses tools/list (" + said(error) + ")");
        }
    }

    private static String said(Message error) {
        Object message = error.members().get("error") instanceof Map<?, ?> members ? members.get("message") : null;
        return OneLine.of(String.valueOf(message), LONGEST_SHOWN);
    }

    private void learn(Message page) {
        for (Object each : page.result("tools") instanceof List<?> list ? list : List.of()) {
            if (!(each instanceof Map<?, ?> tool) || !(tool.get("name") instanceof String name)) {
                remarks.add("a tool without a name was left out");
            } else if (tools.putIfAbsent(name, tool) != null) {
                remarks.add("the tool '" + OneLine.of(name, LONGEST_SHOWN) + "' is there twice; the first one counts");
            }
        }
    }

    /** Whether to ask for the next page. A server must not keep this busy for ever. */
    private boolean goesOn(boolean isNew) throws NoToolListException {
        if (!isNew || tools.size() > MOST_TOOLS) {
            throw new NoToolListException(
                    Reason.REFUSED, "the list of the server does not end: it has " + tools.size() + " tools so far");
        }
        return true;
    }

    private static String name(@Nullable Object info) {
        if (!(info instanceof Map<?, ?> server) || !(server.get("name") instanceof String name)) {
            return "";
        }
        return OneLine.of(name + " " + (server.get("version") instanceof String version ? version : ""), 100);
    }
}
