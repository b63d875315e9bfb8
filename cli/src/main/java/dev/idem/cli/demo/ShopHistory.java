package dev.idem.cli.demo;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.State;
import dev.idem.agent.approval.ApprovalRequest;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.cli.demo.ShopTools.Order;
import dev.idem.spi.Clocks;
import dev.idem.spi.Effect;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.io.EOFException;
import java.net.SocketException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/**
 * The last hours of a shop's agent. Its calls are made now, by the real engine; only the clock of the ledger that records
 * them is set to the hour at which they would have been made.
 */
final class ShopHistory implements AutoCloseable {
    private static final int FIRST_ORDER = 1001;
    private static final int ORDERS = 44;
    private static final Duration LENGTH = Duration.ofHours(9);

    private final Clock clock;
    private final Worker worker;
    private final Worker beside;

    ShopHistory(String ledger, Host host) {
        this.clock = new Clock(host.now().wall().minus(LENGTH));
        this.worker = new Worker(ledger, host, clock);
        this.beside = new Worker(ledger, host, new Clock(clock.instant()));
    }

    /** A clock that is set. */
    private static final class Clock implements Clocks, InstantSource {
        private Instant time;

        Clock(Instant time) {
            this.time = time;
        }

        void pass(Duration length) {
            time = time.plus(length);
        }

        void set(Instant to) {
            time = to;
        }

        @Override
        public Instant instant() {
            return time;
        }

        @Override
        public Moment now() {
            return Moment.ofWall(time);
        }
    }

    /** An agent with a clock of its own, so that two can work at the same time, one after the other. */
    private static final class Worker implements AutoCloseable {
        private final Clock clock;
        private final ShopTools tools;
        private final Idem idem;

        Worker(String ledger, Host host, Clock clock) {
            this.clock = clock;
            this.tools = new ShopTools(clock::pass);
            this.idem = Idem.builder()
                    .ledger(ledger)
                    .context(new LedgerContext(clock, host))
                    .purgeEvery(Duration.ZERO)
                    .quiet()
                    .open();
        }

        Session session(String id) {
            return tools.session(idem, id, clock);
        }

        @Override
        public void close() {
            idem.close();
        }
    }

    /** The number of the first order that comes after it. */
    static int next() {
        return FIRST_ORDER + ORDERS;
    }

    /** Writes it. */
    void write() {
        Instant begin = clock.instant();
        for (int i = 0; i < ORDERS; i++) {
            // More orders in the evening than in the morning.
            double part = Math.pow((i + 0.5) / ORDERS, 0.8);
            clock.set(begin.plusMillis((long) (part * LENGTH.toMillis())).minusSeconds(i * 23L % 200));
            serve(Order.of(FIRST_ORDER + i), i);
        }
    }

    private void serve(Order order, int i) {
        work(order, i);
        switch (i) {
            case 9 -> decide(State.COMPLETE, "ben", "the charge is in the dashboard, ch_3Qk8");
            case 17 -> decide(State.FAILED, "ann", "no such charge at the bank, asked by phone");
            case 22 -> decide(State.COMPLETE, "ann", "the customer has got the mail");
            case 30 -> refund(order);
            case 33 -> approvals();
            case 36 -> event();
            default -> {}
        }
    }

    private void work(Order order, int i) {
        try (Session session = worker.session(order.session())) {
            plan(i);
            ToolAnswer charged = session.call("charge", order.charge());
            if (i % 3 == 0) {
                // The user has submitted the form twice.
                session.call("charge", order.charge());
            }
            beside(order);
            if (charged.status() != ToolAnswer.Status.RAN) {
                return;
            }
            if (i % 11 == 6) {
                worker.tools.refuses("out of stock");
            }
            session.call("create_order", order.order());
            if (i % 13 == 8) {
                worker.tools.fails(new HttpTimeoutException("request timed out"));
            }
            session.call("send_email", order.email("receipt"));
            if (i % 5 == 1) {
                again(session, order);
            }
        }
    }

    private void plan(int i) {
        switch (i) {
            case 8, 16, 27 -> worker.tools.fails(new SocketException("Connection reset"));
            case 35 -> worker.tools.fails(new EOFException("EOF reached while reading"));
            case 20 -> worker.tools.refuses("card declined: insufficient funds");
            default -> {}
        }
    }

    /** Reserves the stock while the charge is on its way. */
    private void beside(Order order) {
        beside.clock.set(clock.instant().minusMillis(700));
        try (Session session = beside.session(order.session())) {
            session.call("reserve_stock", order.stock());
        }
    }

    /** The agent is asked for the same task again: all steps replay. */
    private void again(Session session, Order order) {
        clock.pass(Duration.ofSeconds(40));
        session.call("charge", order.charge());
        session.call("reserve_stock", order.stock());
        session.call("create_order", order.order());
        session.call("send_email", order.email("receipt"));
    }

    /** A person settles the oldest doubt. */
    private void decide(State as, String who, String why) {
        clock.pass(Duration.ofMinutes(6));
        Query doubts = Query.all().withStates(State.IN_DOUBT).withOldestFirst().withLimit(1);
        for (Entry entry : worker.idem
                .ledger()
                .as(Browsable.class)
                .orElseThrow()
                .browse(doubts)
                .entries()) {
            ResolvedBy person = ResolvedBy.of(who, why);
            Address address = entry.address();
            worker.idem
                    .ledger()
                    .resolve(
                            address,
                            entry.fence(),
                            as == State.COMPLETE
                                    ? new Settlement.Completed(
                                            new Result.Unavailable(Settlement.toldWithoutResult(who, why)),
                                            Effect.CREATED,
                                            Retention.DEFAULT,
                                            person)
                                    : new Settlement.NotExecuted(person, Retention.DEFAULT));
        }
    }

    /** A refund whose answer is lost, and whose probe can't tell either. */
    private void refund(Order order) {
        Map<String, ?> arguments = Map.of("customer", order.customer(), "cents", order.cents());
        try (Session session = worker.session("refunds-" + order.number())) {
            worker.tools.fails(new SocketException("Broken pipe"));
            session.call("refund", arguments);
            clock.pass(Duration.ofMinutes(7));
            session.call("refund", arguments);
        }
    }

    /** One deletion that a person has allowed, and two that wait. */
    private void approvals() {
        try (Session session = worker.session("gdpr-requests")) {
            session.call("delete_customer", Map.of("customer", "cus_104"));
            Approvals approvals = Approvals.on(worker.idem).clock(clock);
            clock.pass(Duration.ofMinutes(3));
            for (ApprovalRequest request : approvals.pending()) {
                approvals.approve(request.key(), "ben");
            }
            session.call("delete_customer", Map.of("customer", "cus_104"));
            session.call("delete_customer", Map.of("customer", "cus_263"));
            session.call("delete_customer", Map.of("customer", "cus_771"));
        }
    }

    /** A webhook event that its handler fails on, until it is given up. */
    private void event() {
        Inbox<?> inbox = Inbox.of(worker.idem, "stripe").poisonAfter(3);
        Event event = Event.of("evt_1Qk2dispute", "{\"type\":\"charge.dispute.created\"}");
        for (int delivery = 0; delivery < 4; delivery++) {
            inbox.receive(event, (delivered, call) -> {
                throw new NotExecutedException("no order has the charge ch_9Zk1 of this dispute");
            });
            clock.pass(Duration.ofSeconds(30));
        }
    }

    @Override
    public void close() {
        beside.close();
        worker.close();
    }
}
