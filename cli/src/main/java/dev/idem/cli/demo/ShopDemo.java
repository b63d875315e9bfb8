package dev.idem.cli.demo;

import dev.idem.Json;
import dev.idem.cli.around.Surroundings;
import dev.idem.server.Api;
import dev.idem.server.Caller;
import dev.idem.server.TokenFile;
import dev.idem.spi.ProcessRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The world of {@code idem serve --demo}: a ledger in a temporary folder, in which a shop's agent has left every state that a
 * call can have, and goes on working. It is gone when this is closed.
 */
public final class ShopDemo implements AutoCloseable {
    /** The session that is killed and goes on in another process. */
    private static final String KILLED = "checkout-77";

    private static final Duration PACE = Duration.ofMillis(200);

    private final Surroundings around;
    private final Path folder;
    private @Nullable ShopTraffic traffic;
    private @Nullable Thread killed;

    private ShopDemo(Surroundings around, Path folder) {
        this.around = around;
        this.folder = folder;
    }

    /** Writes what has happened so far. */
    public static ShopDemo make(Surroundings around) throws IOException {
        ShopDemo demo = new ShopDemo(around, Files.createTempDirectory("idem-demo-"));
        try (ShopHistory history = new ShopHistory(demo.ledger(), around.host())) {
            history.write();
            return demo;
        } catch (RuntimeException e) {
            demo.close();
            throw e;
        }
    }

    /** The URL of its ledger. */
    public String ledger() {
        return "sqlite:" + folder.resolve("shop.db");
    }

    /** Its tokens: one, which may do everything. */
    public TokenFile tokens() throws IOException {
        TokenFile tokens = new TokenFile(folder.resolve("tokens"), around.host());
        tokens.begin("you", token());
        return tokens;
    }

    /** The file with the secret of the token. */
    public Path token() {
        return folder.resolve("token");
    }

    /** The operations file of the shop. */
    public String operations() {
        return ShopTools.OPERATIONS;
    }

    /** Starts what goes on: a program that is killed while it charges, an agent that is killed and starts again, and orders. */
    public void start(Api api) throws IOException {
        leaveADoubt(api);
        traffic = new ShopTraffic(ledger());
        traffic.start();
        killed = new Thread(this::killAndGoOn, "idem-demo-kill");
        killed.setDaemon(true);
        killed.start();
    }

    private void killAndGoOn() {
        try {
            new Play(Side.WITH, folder, Show.to(around, true)).run(PACE, ledger(), KILLED);
        } catch (IOException | IllegalStateException e) {
            around.complain("idem: the agent that is killed did not go on: " + e.getMessage() + "\n");
        } catch (InterruptedException e) {
            // The demo ends.
            Thread.currentThread().interrupt();
        }
    }

    /** A process in another language claims a charge, and is killed before it says how that went. */
    private void leaveADoubt(Api api) throws IOException {
        Process program = new ProcessBuilder("sleep", "600").start();
        try {
            Optional<ProcessRef> process = around.host().process(program.pid());
            if (process.isEmpty()) {
                return;
            }
            ProcessRef known = process.get();
            api.call(
                    "claim",
                    Json.write(Map.of(
                            "scope", "order-python-9",
                            "operation", "charge",
                            "identity", Map.of("customer", "cus_311", "cents", 2650),
                            "labels", Map.of("customer", "cus_311", "cents", "2650"),
                            "attempt_id", UUID.randomUUID().toString().replace("-", ""),
                            "owner",
                                    Map.of(
                                            "name",
                                            around.host().name(program.pid()),
                                            "process",
                                            Map.of("host", known.host(), "pid", known.pid(), "start", known.start())))),
                    Caller.local("demo", () -> true, false));
        } finally {
            program.destroyForcibly();
            program.onExit().join();
        }
    }

    /** Ends what goes on, and deletes the ledger. */
    @Override
    public void close() throws IOException {
        if (killed != null) {
            killed.interrupt();
            try {
                killed.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (traffic != null) {
            traffic.close();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
