package dev.idem.sqlite;

import dev.idem.Idem;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Clocks;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The program of the children in the multi-process tests. */
final class ChildMain {
    private static final Host HOST = Host.system();

    private final SqliteOptions options;

    private ChildMain(Path file) {
        this.options = SqliteOptions.at(file);
    }

    public static void main(String[] arguments) throws Exception {
        ChildMain child = new ChildMain(Path.of(arguments[1]));
        switch (arguments[0]) {
            case "keys" -> child.claimKeys(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            case "open" -> child.open(arguments[2]);
            case "crash" -> child.crash(arguments[2], Path.of(arguments[3]));
            case "order" -> child.order(arguments[2]);
            case "endless" -> child.completeWithoutEnd();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Claims all keys from several threads and says which it was granted. */
    private void claimKeys(int keys, int threads) throws Exception {
        Queue<String> granted = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (TestLedger ledger = open()) {
            awaitStart();
            Callable<Void> work = () -> {
                for (int key = next.getAndIncrement(); key < keys; key = next.getAndIncrement()) {
                    if (ledger.claim(request("k" + key)) instanceof Claim.Granted won) {
                        granted.add("k" + key);
                        ledger.settle(won.ticket(), Fixtures.completed("k" + key));
                    }
                }
                return null;
            };
            List<Future<Void>> running =
                    IntStream.range(0, threads).mapToObj(i -> pool.submit(work)).toList();
            for (Future<Void> each : running) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        granted.forEach(System.out::println);
    }

    /** Opens the ledger at the same time as all others, claims the key that all claim and one of its own. */
    private void open(String own) throws IOException {
        awaitStart();
        try (TestLedger ledger = open()) {
            if (ledger.claim(request("shared")) instanceof Claim.Granted won) {
                ledger.settle(won.ticket(), Fixtures.completed("shared"));
                System.out.println("granted");
            }
            Fixtures.complete(ledger, own);
        }
    }

    /** Goes as far as the named point, says so, and waits to be killed. */
    private void crash(String point, Path effects) throws Exception {
        AtomicInteger untilHalt = new AtomicInteger(Integer.MAX_VALUE);
        Clocks clocks = () -> {
            if (untilHalt.getAndDecrement() == 0) {
                halt(point);
            }
            return HOST.now();
        };
        try (TestLedger ledger = TestLedger.open(options, new LedgerContext(clocks, HOST))) {
            Ticket ticket = ((Claim.Granted) ledger.claim(request("k"))).ticket();
            haltAt("after claim", point);
            Files.writeString(effects, "began\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            haltAt("during the effect", point);
            Files.writeString(effects, "done\n", StandardOpenOption.APPEND);
            haltAt("after the effect", point);
            haltAt("before settle", point);
            if ("during settle".equals(point)) {
                // The step asks for the time inside its transaction.
                untilHalt.set(0);
            }
            ledger.settle(ticket, Fixtures.completed("done"));
            haltAt("after settle", point);
        }
    }

    /** Puts an order and its entry into one transaction, and waits at the named point to be killed. */
    private void order(String point) throws Exception {
        AtomicInteger untilHalt = new AtomicInteger(Integer.MAX_VALUE);
        Clocks clocks = () -> {
            if (untilHalt.getAndDecrement() == 0) {
                halt(point);
            }
            return HOST.now();
        };
        TestLedger ledger = TestLedger.open(options, new LedgerContext(clocks, HOST));
        try (Idem idem =
                Idem.builder().ledger(ledger).owner(HOST.self()).quiet().open()) {
            idem.operation("order")
                    .key("k")
                    .returning(String.class)
                    .inTransaction(Connection.class)
                    .run((call, connection) -> {
                        haltAt("before the row", point);
                        try (Statement statement = connection.createStatement()) {
                            statement.executeUpdate("INSERT INTO orders VALUES (1)");
                        }
                        haltAt("after the row", point);
                        if ("during settle".equals(point)) {
                            untilHalt.set(0);
                        }
                        return "ordered";
                    });
            haltAt("after the commit", point);
        }
    }

    /** Completes one key after another and says each that was answered. */
    private void completeWithoutEnd() {
        try (TestLedger ledger = open()) {
            for (int i = 0; ; i++) {
                Fixtures.complete(ledger, "k" + i);
                System.out.println("k" + i);
            }
        }
    }

    private TestLedger open() {
        return TestLedger.open(options, LedgerContext.ofHost(HOST));
    }

    private static ClaimRequest request(String key) {
        ClaimRequest request = Fixtures.request(key);
        return ClaimRequest.of(request.attemptId(), request.address(), request.fingerprints(), HOST.self());
    }

    private static void awaitStart() throws IOException {
        System.out.println("ready");
        System.in.read();
    }

    private static void haltAt(String here, String point) {
        if (here.equals(point)) {
            halt(point);
        }
    }

    private static void halt(String point) {
        System.out.println("at " + point);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
