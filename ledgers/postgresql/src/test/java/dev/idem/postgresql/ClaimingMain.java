package dev.idem.postgresql;

import dev.idem.spi.Claim;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.Result;
import dev.idem.testkit.Settlements;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A child that claims many keys beside others, and says for each whether it ran it or what it was given. */
final class ClaimingMain {
    private static final long GLANCE = 1_000_000;

    private ClaimingMain() {}

    public static void main(String[] arguments) throws Exception {
        int keys = Integer.parseInt(arguments[1]);
        int threads = Integer.parseInt(arguments[2]);
        String name = arguments[3];
        Queue<String> said = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Ledger ledger = new PostgresqlLedgerProvider().open(LedgerUrl.parse(arguments[0]), Requests.HERE)) {
            System.out.println("ready");
            System.in.read();
            Callable<Void> work = () -> {
                for (int key = next.getAndIncrement(); key < keys; key = next.getAndIncrement()) {
                    said.add(claim(ledger, "k" + key, name));
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
        said.forEach(System.out::println);
    }

    private static String claim(Ledger ledger, String key, String name) {
        while (true) {
            Claim claim = ledger.claim(Requests.request(key));
            if (claim instanceof Claim.Granted won) {
                String json = "\"" + name + " ran " + key + "\"";
                ledger.settle(won.ticket(), Settlements.completed(json));
                return "ran " + key + " " + json;
            } else if (claim instanceof Claim.Replay replay) {
                Result.Stored stored = (Result.Stored) replay.entry().result();
                return "got " + key + " " + new String(stored.payload().bytes(), StandardCharsets.UTF_8);
            } else if (!(claim instanceof Claim.InFlight)) {
                throw new IllegalStateException("unexpected: " + claim);
            }
            LockSupport.parkNanos(GLANCE);
        }
    }
}
