package dev.idem.cli.demo;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Payments, mail and orders. The payment service knows idempotency keys, as payment services do, and loses the response
 * to the first charge it books; the others know none.
 */
final class Services {
    private final Map<String, String> chargesByKey = new HashMap<>();
    private @Nullable String key;
    private int charges;
    private int requests;
    private int emails;
    private int orders;

    /**
     * The response of a service.
     *
     * @param answer null if it is lost
     */
    record Served(String tool, String words, @Nullable String answer) {}

    Served serve(String path, @Nullable String given) {
        return switch (path) {
            case "/charge" -> charge(given);
            case "/send_email" -> done("send_email", "sent", "em_" + ++emails);
            case "/create_order" -> done("create_order", "created", "or_" + ++orders);
            default -> throw new IllegalArgumentException(path);
        };
    }

    private Served charge(@Nullable String given) {
        requests++;
        key = given == null ? key : given;
        String before = given == null ? null : chargesByKey.get(given);
        if (before != null) {
            return new Served("charge", "the same key again: still " + before, before);
        }
        String charge = "ch_" + ++charges;
        if (given != null) {
            chargesByKey.put(given, charge);
        }
        return charges == 1
                ? new Served("charge", "booked " + charge + "; the response is lost", null)
                : done("charge", "booked", charge);
    }

    private static Served done(String tool, String what, String id) {
        return new Served(tool, what + " " + id, id);
    }

    Counted counted() {
        return new Counted(charges, requests, emails, orders, key);
    }
}
