package dev.idem.mcp.guard;

import dev.idem.Json;
import dev.idem.agent.vet.ArgumentSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The lists of tools that the server has shown to its hosts. By them the guard itself sees that a call can't have reached
 * its tool; the words and codes of an error may be those of another server, which a tool has passed on after it acted.
 * Thread-safe.
 */
final class ListedTools {
    private static final int MOST_AUDIENCES = 1000;

    /** Most audiences are shown the same list, which is kept once: a list may be large. Each page makes a list. */
    private static final int MOST_LISTS = 64;

    private final Map<String, Listing> byAudience = new ConcurrentHashMap<>();
    private final List<Listing> lists = new CopyOnWriteArrayList<>();

    /**
     * Reads a page of a list.
     *
     * @param audience what the server may have chosen the tools by; see {@link HostCall#audience}
     */
    void learn(String audience, Message request, Message response) {
        if (byAudience.size() >= MOST_AUDIENCES || lists.size() >= MOST_LISTS) {
            // Without a list, an error leaves a doubt.
            forget();
        }
        byAudience.compute(audience, (same, before) -> {
            Object cursor = request.param("cursor");
            Listing first = cursor == null ? Listing.NONE : before;
            boolean follows = cursor == null || (before != null && cursor.equals(before.next));
            return follows && first != null && response.result("tools") instanceof List<?> page
                    ? kept(first.with(page, response.result("nextCursor")))
                    : null;
        });
    }

    private Listing kept(Listing listing) {
        for (Listing each : lists) {
            if (each.equals(listing)) {
                return each;
            }
        }
        lists.add(listing);
        return listing;
    }

    /** How many different lists are kept. */
    int size() {
        return lists.size();
    }

    /** The server has changed its tools, or another process of it answers now. */
    void forget() {
        byAudience.clear();
        lists.clear();
    }

    /** The list that the host of a call was shown. */
    Listing shownTo(HostCall host) {
        return byAudience.getOrDefault(host.audience(), Listing.NONE);
    }

    /**
     * One list. Immutable.
     *
     * @param next the cursor of the page that is still missing; null where the list is whole
     */
    record Listing(Map<String, Map<?, ?>> tools, @Nullable Object next) {
        static final Listing NONE = new Listing(Map.of(), "no page was seen");

        private Listing with(List<?> page, @Nullable Object cursor) {
            Map<String, Map<?, ?>> all = new LinkedHashMap<>(tools);
            for (Object each : page) {
                if (each instanceof Map<?, ?> tool && tool.get("name") instanceof String name) {
                    all.put(name, tool);
                }
            }
            return new Listing(all, cursor);
        }

        /** Whether a server with these tools can't run a call: the tool is not there, or the arguments do not fit it. */
        boolean rulesOut(Message call) {
            Map<?, ?> tool = tools.get(String.valueOf(call.param("name")));
            if (tool == null) {
                return next == null;
            }
            Object arguments = call.param("arguments");
            return tool.get("inputSchema") instanceof Map<?, ?> schema
                    && !fits(arguments == null ? Map.of() : arguments, schema);
        }

        private static boolean fits(Object arguments, Map<?, ?> schema) {
            try {
                return ArgumentSchema.parse(Json.write(schema)).check(arguments).isEmpty();
            } catch (RuntimeException e) {
                // A schema that can't be used rules out nothing.
                return true;
            }
        }
    }
}
