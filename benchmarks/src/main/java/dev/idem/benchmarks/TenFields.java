package dev.idem.benchmarks;

import java.util.Map;

/** The identity of an order, in ten fields. */
record TenFields(int number, String customer, String order) {
    static TenFields numbered(int number) {
        return new TenFields(number, "cus_" + number, "ord_" + number);
    }

    Map<String, Object> asMap() {
        return Map.of(
                "customer",
                customer,
                "order",
                order,
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
