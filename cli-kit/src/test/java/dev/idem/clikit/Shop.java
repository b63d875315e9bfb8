package dev.idem.clikit;

import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Probe;
import dev.idem.SideEffect;
import dev.idem.spi.Effect;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A program with one command of every kind, and the world it changes. */
final class Shop {
    final List<String> world = new ArrayList<>();
    final Map<String, String> env = new HashMap<>();
    final MemoryLedger ledger = new MemoryLedger(LedgerContext.ofHost(Host.system()));
    UnaryOperator<KitBuilder> settings = UnaryOperator.identity();

    /** What the command {@code act} does. */
    Function<Call, Object> act = call -> "acted";

    /** What its probe says. */
    Probe.Verdict<Object> verdict = Probe.Verdict.unknown();

    Ran run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        KitBuilder builder = Kit.of(commandLine())
                .ledger(ledger)
                .env(env)
                .terminal(false)
                .out(out)
                .err(err);
        int exit = settings.apply(builder).build().run(args);
        return new Ran(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private CommandLine commandLine() {
        return new CommandLine(new Top())
                .addSubcommand(new CreateOrder(world))
                .addSubcommand(new Deploy(world))
                .addSubcommand(new DeleteOrder(world))
                .addSubcommand(new Stock(world))
                .addSubcommand(new Act())
                .addSubcommand(new Ship());
    }

    record Order(int number, int amount, String currency) {}

    @Command(name = "shop", mixinStandardHelpOptions = true, version = "shop 1", description = "Sells things.")
    static final class Top {}

    @Command(name = "create-order", mixinStandardHelpOptions = true, description = "Creates an order.")
    @Declares(SideEffect.WRITE)
    static final class CreateOrder implements KitCommand {
        private final List<String> world;

        @Option(names = "--amount", required = true, description = "In cents.")
        int amount;

        @Option(names = "--currency", defaultValue = "EUR", description = "Three letters.")
        String currency;

        @Content
        @Option(names = "--note", description = "For the customer.")
        String note;

        @Incidental
        @Option(
                names = {"-v", "--verbose"},
                description = "Tells more.")
        boolean verbose;

        CreateOrder(List<String> world) {
            this.world = world;
        }

        @Override
        public List<String> problems() {
            List<String> problems = new ArrayList<>();
            if (amount <= 0) {
                problems.add("--amount must be positive, not " + amount);
            }
            if (currency.length() != 3) {
                problems.add("--currency has three letters, not '" + currency + "'");
            }
            return problems;
        }

        @Override
        public List<String> plan() {
            return List.of("would create an order over " + amount + " " + currency);
        }

        @Override
        public Order run(Call call) {
            world.add("order " + amount);
            return new Order(world.size(), amount, currency);
        }
    }

    @Command(name = "deploy", description = "Deploys a version.")
    @Declares(SideEffect.IDEMPOTENT)
    static final class Deploy implements KitCommand {
        private final List<String> world;

        @Option(names = "--version", required = true)
        String version;

        Deploy(List<String> world) {
            this.world = world;
        }

        @Override
        public Effected<Map<String, String>> run(Call call) {
            Map<String, String> data = Map.of("current_version", version);
            if (world.contains("version " + version)) {
                return Effected.noop("Already at version " + version, data);
            }
            world.add("version " + version);
            return Effected.updated(data);
        }
    }

    @Command(name = "delete-order", description = "Deletes an order.")
    @Declares(value = SideEffect.DESTRUCTIVE, key = KeyRule.REQUIRED)
    static final class DeleteOrder implements KitCommand {
        private final List<String> world;

        @Parameters(paramLabel = "NUMBER", description = "Which order.")
        int number;

        DeleteOrder(List<String> world) {
            this.world = world;
        }

        @Override
        public List<String> plan() {
            return List.of("would delete order " + number);
        }

        @Override
        public Object run(Call call) {
            if (number > world.size()) {
                throw Refusal.notFound("no_such_order", "there is no order " + number);
            }
            world.add("deleted " + number);
            return null;
        }
    }

    @Command(name = "stock", description = "Lists what there is.")
    @Declares(value = SideEffect.READ, requiredScopes = "stock:read")
    static final class Stock implements Callable<List<String>> {
        private final List<String> world;

        Stock(List<String> world) {
            this.world = world;
        }

        @Override
        public List<String> call() {
            return List.copyOf(world);
        }
    }

    @Command(name = "act", description = "Does what the test says.")
    @Declares(value = SideEffect.WRITE, definiteOn = java.net.ConnectException.class)
    final class Act implements KitCommand, Probed {
        @Override
        public Object run(Call call) {
            return act.apply(call);
        }

        @Override
        public Probe.Verdict<Object> probe(Entry doubted) {
            return verdict;
        }
    }

    @Command(name = "ship", description = "A group.")
    final class Ship {
        @Command(name = "parcel", description = "Ships a parcel.")
        @Declares(value = SideEffect.WRITE, effect = Effect.UPDATED)
        int parcel(@Parameters(paramLabel = "TO") String to) {
            world.add("parcel " + to);
            return world.size();
        }
    }
}
