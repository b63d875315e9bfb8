package dev.idem.conformance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that a client has sent.
 *
 * @param server which of the servers that the client has started got it, from 1 on
 * @param at when it arrived, by {@link System#nanoTime()}
 */
record Request(int server, long at, @Nullable Object id, String method, Map<String, @Nullable Object> params) {
    @Nullable
    Object param(String name) {
        return params.get(name);
    }

    boolean is(String wanted) {
        return method.equals(wanted);
    }

    /** Whether it settles or renews this ticket. */
    boolean names(@Nullable Object ticket) {
        if (ticket == null) {
            return false;
        }
        if (ticket.equals(params.get("ticket"))) {
            return true;
        }
        return params.get("tickets") instanceof Iterable<?> all && holds(all, ticket);
    }

    private static boolean holds(Iterable<?> tickets, Object ticket) {
        for (Object each : tickets) {
            if (each instanceof Map<?, ?> one && ticket.equals(one.get("ticket"))) {
                return true;
            }
        }
        return false;
    }
}
