package dev.idem.torture.siege;

import dev.idem.Idem;
import dev.idem.lab.Machine;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Attacks a server, in one way after the other, while an honest client calls it and an operator looks. Each attack has a server
 * of its own, on the same ledger.
 */
public final class Siege {
    private static final Duration RECOVERY = Duration.ofSeconds(10);

    /** Looks wait for their turn where others look. */
    private static final Duration TURN = Duration.ofSeconds(10);

    private static final int CALM_PART = 3;
    private static final int THREADS = 64;
    private static final int LARGE_RESULT = 7_500_000;
    private static final Pattern FENCE = Pattern.compile("\"fence\":\"(\\d+)\"");

    private final Options options;
    private final Consumer<String> out;

    /** A siege that tells what it sees. */
    public Siege(Options options, Consumer<String> out) {
        this.options = options;
        this.out = out;
    }

    /**
     * The settings of a siege.
     *
     * @param duration of each attack; the times before and after it are a third of it, a minute at most
     * @param entries in the ledger that is attacked
     * @param allowance how much longer than five times as long as before an answer may take when the attack is over
     * @param classes folders and jars in front of the server's own, for a server with other limits; may be empty
     */
    public record Options(
            Duration duration, Set<Attack> attacks, int entries, Duration allowance, String classes, Path folder) {
        private static final Duration ALLOWANCE = Duration.ofMillis(250);

        /** Reads what follows {@code --siege}; throws {@link IllegalArgumentException} where it makes no sense. */
        public static Options parse(List<String> arguments) {
            Duration duration = Duration.ofMinutes(10);
            Set<Attack> attacks = EnumSet.allOf(Attack.class);
            int entries = 100_000;
            String classes = "";
            Path folder = Path.of("target", "siege");
            for (int i = 0; i < arguments.size(); i += 2) {
                String value = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
                switch (arguments.get(i)) {
                    case "--duration" -> duration = Duration.parse("PT" + value.toUpperCase(Locale.ROOT));
                    case "--attacks" -> attacks = Attack.parse(value);
                    case "--entries" -> entries = Integer.parseInt(value);
                    case "--classes" -> classes = value;
                    case "--folder" -> folder = Path.of(value);
                    default -> throw new IllegalArgumentException("--siege has no option " + arguments.get(i));
                }
            }
            return new Options(duration, attacks, entries, ALLOWANCE, classes, folder);
        }
    }

    /** Attacks as often as is asked for. What was not as it should be; empty if all was well. */
    public List<String> run() throws IOException, InterruptedException {
        Files.createDirectories(options.folder());
        List<String> wrong = new ArrayList<>();
        try (TempFolder folder = new TempFolder(options.folder().toAbsolutePath())) {
            String ledger = "sqlite:" + folder.file("idem.db");
            fill(ledger, options.entries());
            out.accept(Machine.describe().strip());
            out.accept(
                    "times in ms, median/99th percentile/worst, of a client with 20 requests a second, and of an operator");
            for (Attack attack : options.attacks()) {
                wrong.addAll(attacked(attack, folder.path(), ledger));
            }
        }
        return wrong;
    }

    private List<String> attacked(Attack attack, Path folder, String ledger) throws IOException, InterruptedException {
        Duration aside = Duration.ofMillis(Math.min(
                options.duration().toMillis() / CALM_PART, Duration.ofMinutes(1).toMillis()));
        try (SiegedServer server = new SiegedServer(folder, attack.word(), ledger, options.classes())) {
            String client = server.token("client", List.of("act", "payloads"), "honest");
            String operator = server.token("operator", List.of("read", "payloads", "operate"), "*");
            Attack.World world = world(server);
            try (Honest honest = new Honest(server.port(), client, operator)) {
                // Cold code is slow.
                Thread.sleep(aside.toMillis());
                Honest.Phase calm = honest.begin();
                Thread.sleep(aside.toMillis());
                Honest.Phase during;
                Map<String, Integer> answers;
                try (Crowd crowd = new Crowd(server.port(), attack.plan(world))) {
                    during = honest.begin();
                    Thread.sleep(options.duration().toMillis());
                    answers = crowd.end();
                }
                honest.begin();
                Thread.sleep(RECOVERY.toMillis());
                boolean healthy = server.isHealthy();
                Honest.Phase after = honest.begin();
                Thread.sleep(aside.toMillis());
                List<String> wrong = judged(attack, calm, during, after, healthy, server.warnings());
                tell(attack, calm, during, after, answers, server, wrong);
                return wrong;
            }
        }
    }

    private List<String> judged(
            Attack attack,
            Honest.Phase calm,
            Honest.Phase during,
            Honest.Phase after,
            boolean healthy,
            List<String> warnings) {
        List<String> wrong = new ArrayList<>();
        if (!during.client().errors().isEmpty() || !during.operator().errors().isEmpty()) {
            wrong.add("the client got " + during.client().errors() + ", the operator "
                    + during.operator().errors());
        }
        if (!healthy) {
            wrong.add("the server is not healthy ten seconds later");
        }
        if (!after.client().isWell(calm.client(), options.allowance())
                || !after.operator().isWell(calm.operator(), options.allowance().plus(TURN))) {
            wrong.add("ten seconds later it is not as before: the client " + after.client() + " "
                    + after.client().errors() + ", the operator " + after.operator() + " "
                    + after.operator().errors());
        }
        String limit = attack.limit();
        if (limit != null && warnings.stream().noneMatch(Pattern.compile(limit).asPredicate())) {
            wrong.add("the log names no limit like '" + limit + "'");
        }
        return wrong.stream().map(each -> attack.word() + ": " + each).toList();
    }

    private void tell(
            Attack attack,
            Honest.Phase calm,
            Honest.Phase during,
            Honest.Phase after,
            Map<String, Integer> answers,
            SiegedServer server,
            List<String> wrong)
            throws IOException {
        String row = "| %-10s | %-22s | %-22s | %-22s |";
        out.accept(String.format(Locale.ROOT, row, attack.word(), "before", "during", "after"));
        out.accept(String.format(Locale.ROOT, row, "client", calm.client(), during.client(), after.client()));
        out.accept(String.format(Locale.ROOT, row, "operator", calm.operator(), during.operator(), after.operator()));
        out.accept("  the attackers got " + answers + ", the client "
                + during.client().count() + " of "
                + options.duration().toMillis() / Honest.BETWEEN.toMillis() + " answers. The server had up to "
                + server.peak()
                + " MB, the machine a load of " + Machine.load());
        server.warnings().forEach(line -> out.accept("  log: " + line));
        wrong.forEach(line -> out.accept("  WRONG: " + line));
    }

    /** What the attackers begin with. */
    private static Attack.World world(SiegedServer server) throws IOException {
        String attacker = server.token("attacker", List.of("read", "payloads", "act"), "siege");
        String reader = server.token("reader", List.of("read"), "siege");
        String claim = "{\"scope\":\"siege\",\"operation\":\"pay\",\"key\":\"in-flight\",\"attempt_id\":\"";
        try (Wire wire = new Wire(server.port())) {
            // The servers before have left it in flight.
            Wire.Answer granted = wire.ask(
                    "/v1/claim",
                    attacker,
                    claim + "a".repeat(32) + "\",\"policy\":{\"lease\":\"2h\",\"time_limit\":\"2h\"}}");
            Matcher told = FENCE.matcher(granted.body());
            if (!told.find()) {
                throw new IOException("no call is in flight, but " + granted);
            }
            return new Attack.World(attacker, reader, told.group(1));
        }
    }

    /** Many entries of one scope, and one with a large result. */
    private static void fill(String ledger, int entries) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                String number = String.valueOf(i);
                all.add(threads.submit(() -> idem.operation("pay")
                        .scope("siege")
                        .key(number)
                        .label("customer", "cus_" + number.hashCode() % 5_000)
                        .run(call -> Map.of("id", number))));
            }
            byte[] random = new byte[LARGE_RESULT];
            new Random(1).nextBytes(random);
            String large = Base64.getEncoder().encodeToString(random);
            all.add(threads.submit(
                    () -> idem.operation("pay").scope("siege").key("large").run(call -> Map.of("bytes", large))));
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
