package dev.idem.http.webhook;

import dev.idem.Idem;
import dev.idem.agent.inbox.Pace;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Receives one delivery in a process of its own: {@code WebhookMain LEDGER EFFECTS first|later POINT}. At the point that
 * it is told it says so, and waits to be killed.
 */
final class WebhookMain {
    private static final SignedCase STRIPE = SignedCase.of("Stripe");

    private WebhookMain() {}

    public static void main(String[] arguments) throws Exception {
        Path effects = Path.of(arguments[1]);
        boolean later = arguments[2].equals("later");
        String point = arguments[3];
        Ledger ledger = Ledgers.open(arguments[0]);
        FaultyLedger watched = new FaultyLedger(ledger);
        // The entries are settled in this order: the recorded event if there is one, the mail, the event.
        int before = later ? 1 : 0;
        switch (point) {
            case "record" -> stopAt(watched, Point.BEFORE_SETTLE, 0, point);
            case "settle" -> stopAt(watched, Point.BEFORE_SETTLE, before + 1, point);
            case "settled" -> stopAt(watched, Point.AFTER_SETTLE, before + 1, point);
            default -> {}
        }
        try (ledger;
                Idem idem = Idem.builder().ledger(watched).quiet().open()) {
            try (WebhookEndpoint endpoint = endpoint(idem, effects, later, point)) {
                endpoint.receive(delivery());
                reach("answer", point);
                System.in.read();
            }
        }
    }

    static WebhookRequest delivery() {
        return WebhookRequest.of(STRIPE.headers(), STRIPE.bytes());
    }

    static WebhookEndpoint endpoint(Idem idem, Path effects, boolean later, String point) {
        WebhookEndpointBuilder settings = WebhookEndpoint.of(idem, STRIPE.verifier(STRIPE.secret()))
                .pace(Pace.USUAL
                        .threads(1)
                        .waits(Duration.ofMillis(1), Duration.ofMillis(1))
                        .lookEvery(Duration.ofMillis(50)));
        WebhookHandler handler = (event, call) -> {
            reach("handling", point);
            if (point.equals("answer")) {
                // Killed there, it has handled nothing: between the effect and its record, the next one would have a
                // doubt.
                new CountDownLatch(1).await();
            }
            idem.operation("mail").scope("stripe").key(event.id()).perform(step -> {
                Files.writeString(
                        effects, "mail " + event.id() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                reach("sent", point);
            });
        };
        return later ? settings.recordFirst().handle(handler) : settings.handle(handler);
    }

    /** Stops at a point of the ledger that was passed this many times. */
    private static void stopAt(FaultyLedger ledger, Point at, int times, String point) {
        for (int i = 0; i < times; i++) {
            ledger.at(at, () -> {});
        }
        ledger.at(at, () -> {
            try {
                reach(point, point);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void reach(String reached, String point) throws IOException {
        if (point.equals(reached)) {
            System.out.println("at " + reached);
            System.in.read();
        }
    }
}
