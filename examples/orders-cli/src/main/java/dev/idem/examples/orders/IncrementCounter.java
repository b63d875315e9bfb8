package dev.idem.examples.orders;

import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.clikit.Declares;
import dev.idem.clikit.KitCommand;
import dev.idem.spi.Effect;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "increment-counter", description = "Counts one more.")
@Declares(value = SideEffect.WRITE, effect = Effect.UPDATED)
final class IncrementCounter implements KitCommand {
    private final Store store;
    private final Network network;

    @Option(names = "--key", required = true, description = "Which counter.")
    private String name = "";

    IncrementCounter(Store store, Network network) {
        this.store = store;
        this.network = network;
    }

    @Override
    public Map<String, Object> run(Call call) throws Exception {
        return network.send(() -> {
            store.change(
                    "INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1",
                    name);
            return store.rows("SELECT name, value FROM counters WHERE name = ?", name)
                    .get(0);
        });
    }
}
