package dev.idem.conformance;

import dev.idem.Json;
import dev.idem.server.Api;
import dev.idem.server.Caller;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All that one scenario has: a ledger, servers with faults, drivers, and the effects of their actions. */
final class World implements AutoCloseable {
    /** Long enough that no answer is missed because the machine is slow. */
    static final Map<String, String> PATIENT =
            Map.of("IDEM_RESEND_MS", "20000", "IDEM_GIVE_UP_MS", "50000", "IDEM_SETTLE_MS", "30000");

    /** For scenarios with lost messages. */
    static final Map<String, String> QUICK =
            Map.of("IDEM_RESEND_MS", "400", "IDEM_GIVE_UP_MS", "50000", "IDEM_SETTLE_MS", "50000");

    private static final int MOST_TRIES = 20;
    private static final long PAUSE_MILLIS = 200;
    private static final long GLANCE = Duration.ofMillis(2).toNanos();
    private static final Caller CALLER = Caller.local("conformance", () -> true, true);

    final Faults faults = new Faults();
    final Host host = Host.system();
    private final Path folder;
    private final Launcher launcher;
    private final Duration patience;
    private final String duty;
    private final ServerSocket listening;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "conformance-world");
        thread.setDaemon(true);
        return thread;
    });
    /** Tells the processes of this scenario from strangers that connect to its port. */
    private final String secret = randomId();

    private final AtomicInteger servers = new AtomicInteger();
    private final AtomicInteger jobs = new AtomicInteger();
    private final List<Driver> drivers = new ArrayList<>();
    private final List<Served> served = new ArrayList<>();
    private final Ledger ledger;
    private final Api other;
    private volatile @Nullable Ledger replaced;
    private @Nullable List<String> command;

    World(Path folder, Launcher launcher, Duration patience, String duty) throws IOException {
        this.folder = folder;
        this.launcher = launcher;
        this.patience = patience;
        this.duty = duty;
        Files.createFile(effectsFile());
        this.ledger = Ledgers.open(url());
        this.other = new Api(ledger, url(), host, "conformance");
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                client.setTcpNoDelay(true);
                Ledger other = replaced;
                Api api = new Api(other == null ? ledger : other, url(), host, "conformance");
                Served one = new Served(servers.incrementAndGet(), secret, client, api, faults, threads);
                synchronized (served) {
                    served.add(one);
                }
                one.start();
            }
        } catch (IOException e) {
            // The scenario is over.
        } catch (RuntimeException | Error e) {
            faults.failed(e);
        }
    }

    /** The URL of the ledger. */
    String url() {
        return "sqlite:" + folder.resolve("idem.db");
    }

    private Path effectsFile() {
        return folder.resolve("effects");
    }

    /** From now on servers that are started have another ledger under the same URL. */
    void replaceLedger() {
        replaced = Ledgers.open("sqlite:" + folder.resolve("another.db"));
    }

    /** Drivers that are started get another server. */
    void serveWith(List<String> words) {
        command = words;
    }

    /** The command of the server with the faults. */
    private List<String> relay() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-Xmx32m",
                "-cp",
                Main.codePath(),
                Relay.class.getName(),
                Integer.toString(listening.getLocalPort()),
                secret);
    }

    Driver driver() throws IOException {
        return driver(PATIENT);
    }

    /** Starts a driver with these limits of its client. */
    Driver driver(Map<String, String> limits) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>(limits);
        environment.put("IDEM_SERVE", Json.writePlain(command == null ? relay() : command));
        environment.put("IDEM_LEDGER", url());
        environment.put("IDEM_EFFECTS", effectsFile().toString());
        Driver driver = new Driver(launcher.start(environment), patience, jobs);
        drivers.add(driver);
        return driver;
    }

    List<Driver> drivers() {
        return drivers;
    }

    /** A request of another client of the ledger, whose JSON may have single quotes. */
    @SuppressWarnings("unchecked")
    Map<String, @Nullable Object> other(String method, String params) {
        Object answer = Json.parse(other.call(method, params.replace('\'', '"'), CALLER));
        return (Map<String, @Nullable Object>) Objects.requireNonNull(answer);
    }

    /** A claim of another client for the key and identity of {@link Job#of}. */
    Map<String, @Nullable Object> otherClaim(String key, String policy) {
        return other(
                "claim",
                "{" + address(key) + ",'identity':{'key':'" + key + "'},'policy':{" + policy + "},'attempt_id':'"
                        + randomId() + "'}");
    }

    private static String randomId() {
        byte[] id = new byte[16];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /** The answer to another copy of a claim: the same grant, while it is not settled. */
    Map<String, @Nullable Object> repeated(Request claim) {
        return other("claim", Json.write(claim.params()));
    }

    /** Takes the key from the holder of a ticket: ends that attempt, and claims for another client. */
    Map<String, @Nullable Object> takeOver(String key, @Nullable Object ticket) {
        other("settle", "{'ticket':'" + ticket + "','as':'failed'}");
        return otherClaim(key, "");
    }

    Map<String, @Nullable Object> otherSettle(Map<String, @Nullable Object> granted, String how) {
        return other("settle", "{'ticket':'" + granted.get("ticket") + "'," + how + "}");
    }

    static String address(String key) {
        return "'scope':'conformance','operation':'charge','key':'" + key + "'";
    }

    /** The state of an entry; {@code none} if there is none. */
    String state(String key) {
        Map<String, @Nullable Object> found = other("find", "{" + address(key) + "}");
        return found.get("entry") instanceof Map<?, ?> entry ? String.valueOf(entry.get("state")) : "none";
    }

    /** A file that an action may wait for. */
    Path gate(String name) {
        return folder.resolve("gate-" + name);
    }

    void open(Path gate) throws IOException {
        Files.createFile(gate);
    }

    /** The lines that actions have written: {@code name key}. */
    List<String> effects() {
        try {
            return Files.readAllLines(effectsFile());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** How often actions ran with this key. */
    long effects(String key) {
        return effects().stream().filter(line -> line.endsWith(" " + key)).count();
    }

    /** How often the action of this job ran. */
    long effects(Driver.Given job) {
        return effects().stream()
                .filter(line -> line.startsWith(job.name + " "))
                .count();
    }

    /** The server that was started last. */
    Served server() {
        synchronized (served) {
            return served.get(served.size() - 1);
        }
    }

    /** Waits for a condition that the client has to fulfil. False if it does not. */
    boolean comes(BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            faults.requireWhole();
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(GLANCE);
        }
        return true;
    }

    /** Waits for a condition that the client has to fulfil. */
    void await(String seen, BooleanSupplier condition) throws Violation {
        check(comes(condition), seen);
    }

    void check(boolean kept, String seen) throws Violation {
        check(kept, duty, seen);
    }

    void check(boolean kept, String broken, String seen) throws Violation {
        if (!kept) {
            throw new Violation(broken, seen);
        }
    }

    /** Waits for the answer of a job, and compares its outcome. */
    Driver.Answer expect(Driver.Given given, String... outcomes) throws Violation, InterruptedException {
        check(
                comes(given::isAnswered),
                "the call of " + given.job.key() + " had no outcome in " + patience.toSeconds() + " s");
        Driver.Answer answer = given.answer();
        check(
                List.of(outcomes).contains(answer.outcome()),
                "the outcome of " + given.job.key() + " was " + answer.line() + " instead of "
                        + String.join(" or ", outcomes));
        return answer;
    }

    /**
     * Gives a job until its outcome is another one than {@code unavailable}, or {@code in_flight} before the withdrawal
     * has arrived: a client that soon gives up may give up because the machine is slow.
     */
    Driver.Given giveUntilAvailable(Driver driver, Job job) throws Violation, InterruptedException {
        Driver.Given given = driver.give(job);
        for (int tries = 1; tries < MOST_TRIES && isEarly(given.answer().outcome()); tries++) {
            given = driver.give(job);
        }
        return given;
    }

    private static boolean isEarly(String outcome) throws InterruptedException {
        boolean early = outcome.equals("unavailable") || outcome.equals("in_flight");
        if (early) {
            Thread.sleep(PAUSE_MILLIS);
        }
        return early;
    }

    /** The same, and compares its value with that of the job's action. */
    void expectValue(Driver.Given given, String... outcomes) throws Violation, InterruptedException {
        expectTheirs(given, given.job.value(), outcomes);
    }

    /** The same with the value of another one. */
    void expectTheirs(Driver.Given given, @Nullable Object value, String... outcomes)
            throws Violation, InterruptedException {
        Driver.Answer answer = expect(given, outcomes);
        String wanted = Json.write(value);
        check(
                wanted.equals(Json.write(answer.value())),
                "the value of " + given.job.key() + " was " + Json.write(answer.value()) + " instead of " + wanted);
    }

    void expectEffects(String key, long wanted) throws Violation {
        long seen = effects(key);
        check(seen == wanted, "the action of " + key + " ran " + seen + " times instead of " + wanted);
    }

    @Override
    public void close() {
        drivers.forEach(Driver::end);
        try {
            listening.close();
        } catch (IOException e) {
            // It is closed.
        }
        synchronized (served) {
            served.forEach(Served::die);
        }
        threads.shutdownNow();
        other.close();
        ledger.close();
        Ledger another = replaced;
        if (another != null) {
            another.close();
        }
    }
}
