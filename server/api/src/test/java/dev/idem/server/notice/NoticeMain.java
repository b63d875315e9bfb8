package dev.idem.server.notice;

import dev.idem.server.Access;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Tells a receiver until it comes to a point; there it says so and waits to be killed. */
final class NoticeMain {
    private NoticeMain() {}

    public static void main(String[] args) throws InterruptedException {
        String point = args[3];
        Channel channel = args[2].equals("slack") ? Channel.slack(args[1]) : Channel.webhook(args[1], Receiver.SECRET);
        Ledger ledger = new ForwardingLedger(Ledgers.open(args[0])) {
            @Override
            public Claim claim(ClaimRequest request) {
                Claim claim = super.claim(request);
                stop(request.address().operation(), "claimed");
                return claim;
            }

            @Override
            public Settled settle(Ticket ticket, Settlement how) {
                stop(ticket.address().operation(), "settle");
                return super.settle(ticket, how);
            }

            private void stop(String operation, String step) {
                String reached = (operation.equals(Access.NOTICE) ? "message " : "batch ") + step;
                if (reached.equals(point)) {
                    System.out.println("at " + reached);
                    forever();
                }
            }
        };
        Notices.start(ledger, List.of(channel), NoticeCase.LINK, Duration.ofMillis(20));
        forever();
    }

    private static void forever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
