package dev.idem.examples.orders;

import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Probe;
import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import dev.idem.clikit.KitCommand;
import dev.idem.clikit.Probed;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "create-order", description = "Creates an order.")
@Declares(SideEffect.WRITE)
final class CreateOrder implements KitCommand, Probed {
    private static final String FIND = "SELECT id, amount, user FROM orders WHERE key = ?";

    private final Store store;
    private final Network network;

    @Option(names = "--amount", required = true, description = "What it costs, in cents.")
    private long amount;

    @Option(names = "--user", defaultValue = "guest", description = "Who orders; guest unless told.")
    private String user = "guest";

    CreateOrder(Store store, Network network) {
        this.store = store;
        this.network = network;
    }

    @Override
    public List<String> problems() {
        return amount > 0 ? List.of() : List.of("--amount must be positive, not " + amount);
    }

    @Override
    public List<String> plan() {
        return List.of("would create an order over " + amount + " for " + user);
    }

    @Override
    public Map<String, Object> run(Call call) throws Exception {
        return network.send(() -> {
            store.change("INSERT INTO orders (amount, user, key) VALUES (?, ?, ?)", amount, user, call.key());
            return store.rows(FIND, call.key()).get(0);
        });
    }

    /** The service keeps the key of each order, so it can be asked. */
    @Override
    public Probe.Verdict<Map<String, Object>> probe(Entry doubted) throws Exception {
        List<Map<String, Object>> found = store.rows(FIND, doubted.address().key());
        return found.isEmpty() ? Probe.Verdict.notExecuted() : Probe.Verdict.happened(found.get(0));
    }
}
