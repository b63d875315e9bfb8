package com.example.app;

import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.agent.formula.Formula;
import dev.idem.agent.session.Session;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Uses core, the agent layer and the SQLite ledger on the module path. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Map<String, Object> identity = Map.of("customer", "cus_1", "cents", 4200);
        try (Idem idem = Idem.open("sqlite:" + arguments[0])) {
            for (int i = 0; i < 2; i++) {
                idem.operation("charge").scope("s").identity(identity).perform(call -> {
                    runs.incrementAndGet();
                    if (!call.key().equals(Key.derive("s", "charge", identity).value())) {
                        throw new AssertionError("another key: " + call.key());
                    }
                });
            }
        }
        if (runs.get() != 1 || !Main.class.getModule().isNamed() || !Session.class.getModule().isNamed()) {
            throw new AssertionError(runs + " runs in " + Main.class.getModule());
        }
        System.out.println("ran once, " + Formula.PLAIN_SHA256.key("a").value().length() + " digits");
    }
}
