package dev.idem.torture.worker;

import dev.idem.Idem;
import dev.idem.spi.Clocks;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Moment;
import dev.idem.torture.broken.BrokenLedgers;
import dev.idem.torture.subject.Sealing;
import dev.idem.torture.world.WorldClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker: makes calls from many threads until it is told to stop, is killed, or has lost its driver. */
public final class WorkerMain {
    /** The exit code if the ledger can't be opened. */
    public static final int NO_LEDGER = 4;

    private final Orders orders;
    private final SteppedClocks clocks;
    private volatile boolean stopping;

    private WorkerMain(Orders orders) {
        this.orders = orders;
        this.clocks = new SteppedClocks(Host.system());
    }

    /** Started by the driver with {@link Orders#arguments()}. */
    public static void main(String[] arguments) throws Exception {
        WorkerMain worker = new WorkerMain(Orders.parse(arguments));
        Thread listener = new Thread(worker::listen, "listener");
        listener.setDaemon(true);
        listener.start();
        try {
            worker.run();
        } catch (UncheckedIOException e) {
            // The driver has ended, so this worker ends too.
            Runtime.getRuntime().halt(3);
        }
        System.exit(0);
    }

    private void run() throws Exception {
        try (Ledger ledger = open()) {
            List<Idem> engines = new ArrayList<>();
            for (int i = 0; i < orders.engines(); i++) {
                engines.add(engine(Sealing.sealed(ledger, orders.seed(), i), i));
            }
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < orders.threads(); i++) {
                Idem engine = engines.get(i % engines.size());
                int number = i;
                Thread thread = new Thread(() -> calls(engine, number), "caller-" + i);
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            engines.forEach(Idem::close);
        }
    }

    private Ledger open() {
        LedgerContext context = new LedgerContext(clocks, Host.system());
        try {
            return BrokenLedgers.broken(Ledgers.open(orders.url(), context), orders.broken());
        } catch (RuntimeException e) {
            System.err.println(e);
            Runtime.getRuntime().halt(NO_LEDGER);
            throw e;
        }
    }

    private Idem engine(Ledger ledger, int number) {
        var builder = Idem.builder()
                .ledger(ledger)
                .quiet()
                .settleFor(Duration.ofSeconds(2))
                .purgeEvery(Duration.ofMillis(orders.allExpire() ? 20 : 1_000));
        return (number % 2 == 1 ? builder.nearCache(100, Duration.ofSeconds(1)) : builder).open();
    }

    private void calls(Idem idem, int thread) {
        try (WorldClient world = new WorldClient(orders.world())) {
            Caller caller = new Caller(idem, world, orders, thread);
            while (!stopping) {
                caller.next();
            }
        } catch (IOException | UncheckedIOException e) {
            Runtime.getRuntime().halt(3);
        }
    }

    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("stop")) {
                    stopping = true;
                } else if (line.startsWith("step ")) {
                    clocks.step(Duration.parse(line.substring("step ".length())));
                }
            }
        } catch (IOException e) {
            // The same as the end of the driver.
        }
        Runtime.getRuntime().halt(3);
    }

    /** The clocks of a host whose wall clock was set wrong. */
    private static final class SteppedClocks implements Clocks {
        private final Clocks host;
        private volatile Duration offset = Duration.ZERO;

        SteppedClocks(Clocks host) {
            this.host = host;
        }

        void step(Duration by) {
            offset = by;
        }

        @Override
        public Moment now() {
            Moment now = host.now();
            return new Moment(now.wall().plus(offset), now.boot(), now.nanos());
        }
    }
}
