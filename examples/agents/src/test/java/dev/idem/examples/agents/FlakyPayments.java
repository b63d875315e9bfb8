package dev.idem.examples.agents;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A payment service that deduplicates by key, and whose first responses may get lost on their way. */
final class FlakyPayments implements Payments {
    private final Map<String, String> byKey = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private int losses;

    FlakyPayments losing(int responses) {
        losses = responses;
        return this;
    }

    @Override
    public String charge(String customer, long cents, String idempotencyKey) throws IOException {
        return taken("ch_", idempotencyKey);
    }

    @Override
    public String refund(String order, String idempotencyKey) throws IOException {
        return taken("re_", idempotencyKey);
    }

    private synchronized String taken(String prefix, String key) throws IOException {
        asked.add(key);
        String id = byKey.computeIfAbsent(key, first -> prefix + (byKey.size() + 1));
        if (losses > 0) {
            losses--;
            throw new SocketTimeoutException("it was done, and the response was lost");
        }
        return id;
    }

    /** The keys it was asked with, one for each request. */
    synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    /** How often money has moved. */
    synchronized int effects() {
        return byKey.size();
    }
}
