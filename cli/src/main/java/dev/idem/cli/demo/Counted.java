package dev.idem.cli.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counts of the services in one run.
 *
 * @param charges that were booked
 * @param requests to charge, whatever their outcome
 * @param key of the newest request to charge; null if there was none
 */
record Counted(
        int charges,
        int requests,
        int emails,
        int orders,
        @Nullable String key) {
    /** Whether everything has happened, and nothing twice. */
    boolean onceEach() {
        return charges == 1 && emails == 1 && orders == 1;
    }

    Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("charges", charges);
        fields.put("charge_requests", requests);
        fields.put("emails", emails);
        fields.put("orders", orders);
        if (key != null) {
            fields.put("key", key);
        }
        return fields;
    }
}
