package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.State;
import dev.idem.TransactionMode;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.Toolbox;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.WebhookEvent;
import dev.idem.lab.PostgresqlServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Methods whose transaction is rolled back although they return, on a real PostgreSQL: their rows are not there. */
class SilentRollbackTest {
    @TempDir
    static Path folder;

    private static PostgresqlServer server;
    private static App app;
    private static Orders orders;

    /** How the transaction of a method ends. */
    enum End {
        COMMIT,
        ROLLBACK_ONLY,
        IGNORED_ERROR
    }

    @BeforeAll
    static void start() throws Exception {
        server = new PostgresqlServer(folder.resolve("postgresql"));
        app = App.start(
                Shop.class,
                "idem.ledger=memory:",
                "shop.url=jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres",
                "idem.webhooks.stripe.secrets=" + Signer.TEST_SECRET);
        orders = app.bean(Orders.class);
        jdbc().execute("CREATE TABLE orders (id TEXT PRIMARY KEY)");
    }

    @AfterAll
    static void stop() throws Exception {
        if (app != null) {
            app.close();
        }
        server.close();
    }

    private static JdbcTemplate jdbc() {
        return new JdbcTemplate(app.bean(DataSource.class));
    }

    private static int rows(String id) {
        return jdbc().queryForObject("SELECT count(*) FROM orders WHERE id = ?", Integer.class, id);
    }

    private static State state(String operation, String key) {
        return app.idem()
                .find(new Address("default", "orders." + operation, key))
                .orElseThrow()
                .state();
    }

    private static TransactionTemplate inTransaction() {
        return new TransactionTemplate(app.bean(PlatformTransactionManager.class));
    }

    @ParameterizedTest
    @EnumSource
    void aResultWithoutRowsIsNotReplayed(End end) {
        String id = "order-" + end;
        assertThat(orders.place(id, end)).isEqualTo("placed " + id);
        assertThat(orders.charge(id + "-charged", end)).isEqualTo("charged " + id + "-charged");

        boolean committed = end == End.COMMIT;
        assertThat(rows(id)).isEqualTo(committed ? 1 : 0);
        assertThat(rows(id + "-charged")).isEqualTo(committed ? 1 : 0);
        assertThat(state("place", id)).isEqualTo(committed ? State.COMPLETE : State.IN_DOUBT);
        assertThat(state("charge", id + "-charged")).isEqualTo(committed ? State.COMPLETE : State.IN_DOUBT);
        if (committed) {
            assertThat(orders.place(id, end)).isEqualTo("placed " + id);
        } else {
            assertThatThrownBy(() -> orders.place(id, End.COMMIT)).isInstanceOf(InDoubtException.class);
            assertThatThrownBy(() -> orders.charge(id + "-charged", End.COMMIT)).isInstanceOf(InDoubtException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFutureAndItsTransactionHaveBothToEndWell(End end) {
        String id = "later-" + end;
        assertThat(orders.later(id, end, false).join()).isEqualTo("later " + id);
        assertThat(state("later", id)).isEqualTo(end == End.COMMIT ? State.COMPLETE : State.IN_DOUBT);

        String failing = "failing-" + id;
        assertThatThrownBy(() -> orders.later(failing, end, true).join())
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("no answer");
        assertThat(state("later", failing)).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void aSavepointThatIsRolledBackIsNoCompleteEntry() {
        inTransaction().executeWithoutResult(status -> {
            assertThat(orders.nested("nested-lost", End.ROLLBACK_ONLY)).isNotNull();
            assertThat(orders.nested("nested-kept", End.COMMIT)).isNotNull();
        });
        assertThat(rows("nested-kept")).isEqualTo(1);
        assertThat(rows("nested-lost")).isZero();
        assertThat(state("nested", "nested-kept")).isEqualTo(State.COMPLETE);
        assertThat(state("nested", "nested-lost")).isEqualTo(State.IN_DOUBT);
    }

    /** The meaning of the caller's rollback is declared: the entry and the effect stay. */
    @Test
    void anIndependentCallInsideTheTransactionOfItsCallerStaysComplete() {
        assertThatThrownBy(() ->
                        inTransaction().executeWithoutResult(status -> orders.charge("taking-part", End.ROLLBACK_ONLY)))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(state("charge", "taking-part")).isEqualTo(State.COMPLETE);
    }

    /** The bean has methods with a transaction of their own, and this one has none: nothing of it can be rolled back. */
    @Test
    void anIndependentCallWithoutATransactionOfItsOwnIsCompleteInOneOfItsCaller() {
        Desk desk = app.bean(Desk.class);
        desk.serves("kept", false);
        assertThat(state("note", "kept")).isEqualTo(State.COMPLETE);
        assertThat(desk.serves("kept", false)).isEqualTo("noted kept");

        desk.serves("lost", true);
        assertThat(state("note", "lost")).isEqualTo(State.COMPLETE);
    }

    @Test
    void aToolWithoutATransactionOfItsOwnEndsWellInOneOfItsCaller() {
        Session session = Session.of(app.idem(), "tuesday", Toolbox.in(orders));
        assertThat(app.bean(Desk.class).calls(() -> session.call("jot", Map.of("id", "jotted"))))
                .isInstanceOf(ToolAnswer.Ran.class);
        assertThat(session.call("jot", Map.of("id", "jotted")).text()).isEqualTo("jotted jotted");
    }

    /** Synchronizations of the inner transaction are called when the outer one ends. */
    @Test
    void aTransactionOfASecondManagerCountsWhenItEndsItself() {
        inTransaction().executeWithoutResult(outer -> {
            orders.elsewhere("elsewhere-kept", End.COMMIT);
            orders.elsewhere("elsewhere-lost", End.ROLLBACK_ONLY);
            orders.elsewhere("elsewhere-aborted", End.IGNORED_ERROR);
            assertThat(state("elsewhere", "elsewhere-kept")).isEqualTo(State.COMPLETE);
            assertThat(state("elsewhere", "elsewhere-lost")).isEqualTo(State.IN_DOUBT);
            assertThat(state("elsewhere", "elsewhere-aborted")).isEqualTo(State.IN_DOUBT);
            outer.setRollbackOnly();
        });
        assertThat(rows("elsewhere-kept")).isEqualTo(1);
        assertThat(rows("elsewhere-lost")).isZero();
    }

    @Test
    void aToolWithoutRowsIsInDoubtInItsSession() {
        Idem idem = app.idem();
        Session session = Session.of(idem, "monday", Toolbox.in(orders));
        session.call("mail", Map.of("id", "mailed", "end", "ROLLBACK_ONLY"));

        assertThat(rows("mailed")).isZero();
        assertThat(session.call("mail", Map.of("id", "mailed", "end", "ROLLBACK_ONLY"))
                        .toString())
                .doesNotContain("mailed mailed");
    }

    @Test
    void anEventWithoutRowsIsNotTakenForHandled() throws Exception {
        assertThat(deliver("evt_kept").status()).isEqualTo(200);
        assertThat(rows("evt_kept")).isEqualTo(1);

        assertThat(deliver("evt_lost").status()).isGreaterThanOrEqualTo(400);
        assertThat(rows("evt_lost")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerWithoutRowsIsNotReplayed(End end) throws Exception {
        for (String path : new String[] {"/once", "/keyed", "/later"}) {
            String id = "handled-" + end + path;
            Sent sent = Sent.post(path + "?id=" + id + "&end=" + end).key(id);
            Received first = app.send(sent);
            assertThat(first.status()).isEqualTo(200);
            assertThat(first.text()).isEqualTo("handled " + id);
            assertThat(rows(id)).isEqualTo(end == End.COMMIT ? 1 : 0);

            Received second = app.send(sent);
            if (end == End.COMMIT) {
                assertThat(second.text()).isEqualTo("handled " + id);
                assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
            } else {
                assertThat(second.status()).isEqualTo(409);
                assertThat(second.text()).contains("in-doubt");
            }
        }
    }

    /** Such a response says itself that nothing was done. */
    @Test
    void aRefusalThatRollsBackIsReplayed() throws Exception {
        Sent sent = Sent.post("/refused?id=refused").key("refused");
        assertThat(app.send(sent).status()).isEqualTo(422);
        assertThat(rows("refused")).isZero();

        Received second = app.send(sent);
        assertThat(second.status()).isEqualTo(422);
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    }

    private static Received deliver(String id) throws Exception {
        String body = "{\"id\":\"" + id + "\",\"type\":\"paid\"}";
        Sent sent = Sent.post("/webhooks/stripe").json(body);
        for (Map.Entry<String, String> header : Signer.of(Sender.STRIPE)
                .sign(body.getBytes(StandardCharsets.UTF_8))
                .headers()
                .entrySet()) {
            if (!header.getKey().equals("Content-Type")) {
                sent = sent.header(header.getKey(), header.getValue());
            }
        }
        return app.send(sent);
    }

    /** A service with transactions. */
    static class Orders {
        private final JdbcTemplate jdbc;
        private final JdbcTemplate second;

        Orders(DataSource source, DataSource second) {
            this.jdbc = new JdbcTemplate(source);
            this.second = new JdbcTemplate(second);
        }

        @Transactional
        @Once(key = "#p0")
        public String place(String id, End end) {
            return insert(jdbc, "placed ", id, end);
        }

        @Transactional
        @Once(key = "#p0", transaction = TransactionMode.INDEPENDENT)
        public String charge(String id, End end) {
            return insert(jdbc, "charged ", id, end);
        }

        @Transactional
        @Once(key = "#p0")
        public CompletableFuture<String> later(String id, End end, boolean fails) {
            String result = insert(jdbc, "later ", id, end);
            return fails
                    ? CompletableFuture.failedFuture(new IllegalStateException("no answer"))
                    : CompletableFuture.completedFuture(result);
        }

        @Transactional(propagation = Propagation.NESTED)
        @Once(key = "#p0", transaction = TransactionMode.INDEPENDENT)
        public String nested(String id, End end) {
            return insert(jdbc, "nested ", id, end);
        }

        @Transactional("secondManager")
        @Once(key = "#p0", transaction = TransactionMode.INDEPENDENT)
        public String elsewhere(String id, End end) {
            return insert(second, "elsewhere ", id, end);
        }

        @Once(key = "#p0", transaction = TransactionMode.INDEPENDENT)
        public String note(String id) {
            return "noted " + id;
        }

        @Once(transaction = TransactionMode.INDEPENDENT)
        public String jot(String id) {
            return "jotted " + id;
        }

        @Transactional
        @Once
        public String mail(String id, String end) {
            return insert(jdbc, "mailed ", id, End.valueOf(end));
        }

        @Transactional
        @WebhookHandler("stripe")
        public void paid(WebhookEvent event) {
            insert(jdbc, "paid ", event.id(), event.id().endsWith("lost") ? End.ROLLBACK_ONLY : End.COMMIT);
        }

        static String insert(JdbcTemplate rows, String what, String id, End end) {
            rows.update("INSERT INTO orders VALUES (?)", id);
            if (end == End.ROLLBACK_ONLY) {
                TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            } else if (end == End.IGNORED_ERROR) {
                try {
                    rows.update("INSERT INTO orders VALUES (?)", id);
                } catch (DataAccessException ignored) {
                    // It was there already, thinks the author, and the transaction is aborted.
                }
            }
            return what + id;
        }
    }

    /** Calls others inside a transaction. */
    static class Desk {
        private final Orders orders;

        Desk(Orders orders) {
            this.orders = orders;
        }

        @Transactional
        public String serves(String id, boolean rollback) {
            String noted = orders.note(id);
            if (rollback) {
                TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            }
            return noted;
        }

        @Transactional
        public <T> T calls(Supplier<T> code) {
            return code.get();
        }
    }

    /** Handlers with transactions. */
    @RestController
    static class Counter {
        private final JdbcTemplate jdbc;

        Counter(DataSource source) {
            this.jdbc = new JdbcTemplate(source);
        }

        @Once
        @Transactional
        @PostMapping("/once")
        public String once(@RequestParam("id") String id, @RequestParam("end") End end) {
            return Orders.insert(jdbc, "handled ", id, end);
        }

        @Transactional
        @PostMapping("/keyed")
        public String keyed(@RequestParam("id") String id, @RequestParam("end") End end) {
            return Orders.insert(jdbc, "handled ", id, end);
        }

        @Transactional
        @PostMapping("/later")
        public CompletableFuture<String> later(@RequestParam("id") String id, @RequestParam("end") End end) {
            String result = Orders.insert(jdbc, "handled ", id, end);
            return CompletableFuture.supplyAsync(() -> result);
        }

        @Transactional
        @PostMapping("/refused")
        public ResponseEntity<String> refused(@RequestParam("id") String id) {
            return ResponseEntity.unprocessableEntity().body(Orders.insert(jdbc, "refused ", id, End.ROLLBACK_ONLY));
        }
    }

    /** An application with two transaction managers. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shop {
        private static DataSource source(Environment environment) {
            return new SimpleDriverDataSource(new org.postgresql.Driver(), environment.getRequiredProperty("shop.url"));
        }

        @Bean
        @Primary
        DataSource dataSource(Environment environment) {
            return source(environment);
        }

        @Bean
        DataSource secondSource(Environment environment) {
            return source(environment);
        }

        @Bean
        @Primary
        PlatformTransactionManager manager(DataSource source) {
            return new DataSourceTransactionManager(source);
        }

        @Bean
        PlatformTransactionManager secondManager(@Qualifier("secondSource") DataSource secondSource) {
            return new DataSourceTransactionManager(secondSource);
        }

        @Bean
        Orders orders(DataSource dataSource, @Qualifier("secondSource") DataSource secondSource) {
            return new Orders(dataSource, secondSource);
        }

        @Bean
        Desk desk(Orders orders) {
            return new Desk(orders);
        }

        @Bean
        Counter counter(DataSource dataSource) {
            return new Counter(dataSource);
        }
    }
}
