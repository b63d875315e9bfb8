package dev.idem.examples.orders;

import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows the stored data. An ordinary picocli command with a declaration. */
@Command(name = "show", description = "Shows orders, emails, counters and services.")
@Declares(SideEffect.READ)
final class Show implements Callable<Map<String, List<Map<String, Object>>>> {
    private final Store store;

    Show(Store store) {
        this.store = store;
    }

    @Override
    public Map<String, List<Map<String, Object>>> call() throws Exception {
        return Map.of(
                "orders", store.rows("SELECT id, amount, user FROM orders ORDER BY id"),
                "emails", store.rows("SELECT id, recipient, subject FROM emails ORDER BY id"),
                "counters", store.rows("SELECT name, value FROM counters ORDER BY name"),
                "services", store.rows("SELECT name, version FROM services ORDER BY name"));
    }
}
