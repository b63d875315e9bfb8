package dev.idem.examples.orders;

import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import dev.idem.clikit.KeyRule;
import dev.idem.clikit.KitCommand;
import dev.idem.clikit.Refusal;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "delete-order", description = "Deletes an order for good.")
@Declares(value = SideEffect.DESTRUCTIVE, key = KeyRule.REQUIRED)
final class DeleteOrder implements KitCommand {
    private final Store store;

    @Option(names = "--id", required = true, description = "Which order.")
    private long id;

    DeleteOrder(Store store) {
        this.store = store;
    }

    @Override
    public List<String> plan() throws SQLException {
        return store.rows("SELECT id, amount FROM orders WHERE id = ?", id).stream()
                .map(order -> "would delete order " + order.get("id") + " over " + order.get("amount"))
                .toList();
    }

    @Override
    public Map<String, Object> run(Call call) throws Exception {
        if (store.rows("SELECT id FROM orders WHERE id = ?", id).isEmpty()) {
            throw Refusal.notFound("NO_SUCH_ORDER", "there is no order " + id);
        }
        store.change("DELETE FROM orders WHERE id = ?", id);
        return Map.of("id", id);
    }
}
