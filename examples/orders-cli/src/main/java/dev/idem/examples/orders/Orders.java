package dev.idem.examples.orders;

import dev.idem.Policy;
import dev.idem.clikit.Kit;
import dev.idem.clikit.KitBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program {@code orders}: {@code ORDERS_HOME} names the folder of its store and its ledger, and {@code ORDERS_FAULT}
 * makes its network as bad as real ones are.
 */
@Command(name = "orders", mixinStandardHelpOptions = true, version = "orders 1", description = "Takes orders.")
public final class Orders {
    private Orders() {}

    public static void main(String[] args) {
        kit(System.getenv()).runAndExit(args);
    }

    static KitBuilder kit(Map<String, String> env) {
        Path home = Path.of(env.getOrDefault("ORDERS_HOME", "."));
        Network network = new Network(env.getOrDefault("ORDERS_FAULT", ""));
        Store store = new Store(home.resolve("store").resolve("orders.db"));
        CommandLine line = new CommandLine(new Orders())
                .addSubcommand(new CreateOrder(store, network))
                .addSubcommand(new SendEmail(store, network))
                .addSubcommand(new IncrementCounter(store, network))
                .addSubcommand(new Deploy(store))
                .addSubcommand(new DeleteOrder(store))
                .addSubcommand(new Show(store));
        return Kit.of(line)
                .env(env)
                .ledger("sqlite:" + home.resolve("ledger.db"))
                // No request of these commands can still be under way after this time, so a probe may be asked then.
                .idem(idem -> idem.policy(Policy.unset().timeLimit(Duration.ofSeconds(3))));
    }
}
