package dev.idem.cli.demo;

import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.cli.demo.ShopTools.Order;
import java.net.SocketException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A shop that goes on: now and then an order, and a report that is always being built. */
final class ShopTraffic implements AutoCloseable {
    private static final Duration BETWEEN = Duration.ofSeconds(12);

    private final Idem idem;
    private final ExecutorService agents = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, "idem-demo");
        thread.setDaemon(true);
        return thread;
    });

    ShopTraffic(String ledger) {
        this.idem =
                Idem.builder().ledger(ledger).quiet().closeWait(Duration.ZERO).open();
    }

    void start() {
        for (Agent agent : List.<Agent>of(this::report, this::orders)) {
            agents.execute(() -> {
                try {
                    agent.work();
                } catch (InterruptedException e) {
                    // The demo ends.
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private interface Agent {
        void work() throws InterruptedException;
    }

    private void orders() throws InterruptedException {
        ShopTools tools = new ShopTools(time -> Thread.sleep(time.toMillis()));
        for (int number = ShopHistory.next(); true; number++) {
            Order order = Order.of(number);
            try (Session session = tools.session(idem, order.session(), InstantSource.system())) {
                if (number % 12 == 0) {
                    tools.fails(new SocketException("Connection reset"));
                }
                session.call("charge", order.charge());
                session.call("create_order", order.order());
                session.call("send_email", order.email("receipt"));
                if (number % 2 == 0) {
                    session.call("charge", order.charge());
                }
            }
            Thread.sleep(BETWEEN.toMillis());
        }
    }

    private void report() throws InterruptedException {
        ShopTools tools = new ShopTools(time -> Thread.sleep(time.toMillis()));
        for (int month = 1; !Thread.interrupted(); month++) {
            try (Session session = tools.session(idem, "reports-" + month, InstantSource.system())) {
                session.call("build_report", Map.of("month", String.format("2026-%02d", month % 12 + 1)));
            }
        }
        throw new InterruptedException();
    }

    @Override
    public void close() {
        agents.shutdownNow();
        try {
            agents.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        idem.close();
    }
}
