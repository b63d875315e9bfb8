package dev.idem.benchmarks;

import java.util.Map;

/** Identities of ten fields. */
final class TenFields {
    private TenFields() {}

    static Map<String, Object> numbered(int number) {
        return Map.of(
                "customer",
                "cus_" + number,
                "order",
                "ord_" + number,
                "cents",
                number,
                "currency",
                "EUR",
                "country",
                "DE",
                "channel",
                "web",
                "quantity",
                3,
                "gift",
                false,
                "article",
                "SKU-1000-42",
                "to",
                "someone@example.com");
    }
}
