package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.TransactionMode;
import dev.idem.agent.tool.Once;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The ledger in the database of the application, and calls inside its transactions. */
class DataSourceLedgerTest {
    @TempDir
    Path folder;

    @Test
    void entriesAndRowsAreInOneTransaction() throws Exception {
        try (App app =
                App.start(Rows.class, "idem.ledger=datasource", "shop.url=jdbc:sqlite:" + folder.resolve("shop.db"))) {
            Idem idem = app.bean(Idem.class);
            JdbcTemplate jdbc = new JdbcTemplate(app.bean(DataSource.class));
            jdbc.execute("CREATE TABLE orders (id INTEGER)");
            TransactionTemplate transaction = new TransactionTemplate(app.bean(PlatformTransactionManager.class));
            Runnable order = () -> idem.operation("order")
                    .key("7")
                    .policy(Policy.write().transaction(TransactionMode.JOIN))
                    .perform(call -> jdbc.update("INSERT INTO orders VALUES (7)"));

            transaction.executeWithoutResult(status -> {
                order.run();
                status.setRollbackOnly();
            });
            assertThat(rows(jdbc)).isZero();
            for (int time = 0; time < 2; time++) {
                transaction.executeWithoutResult(status -> order.run());
            }
            assertThat(rows(jdbc)).isEqualTo(1);

            assertThatThrownBy(() -> transaction.execute(
                            status -> idem.operation("mail").key("7").run(call -> "sent")))
                    .hasMessageContaining("INDEPENDENT");
        }
    }

    @Test
    void aJoinedMethodRunsInsideItsTransactionAndAnIndependentOneAroundIt() throws Exception {
        try (App app =
                App.start(Rows.class, "idem.ledger=datasource", "shop.url=jdbc:sqlite:" + folder.resolve("shop.db"))) {
            Orders orders = app.bean(Orders.class);
            JdbcTemplate jdbc = new JdbcTemplate(app.bean(DataSource.class));
            jdbc.execute("CREATE TABLE orders (id INTEGER)");

            assertThatThrownBy(() -> orders.order(7, true)).hasMessage("no such article");
            assertThat(rows(jdbc)).isZero();
            assertThat(orders.order(7, false)).isEqualTo("order 2");
            assertThat(orders.order(7, false)).isEqualTo("order 2");
            assertThat(rows(jdbc)).isEqualTo(1);

            assertThat(orders.charge(7)).isEqualTo("charge 3");
            assertThat(orders.charge(7)).isEqualTo("charge 3");
            assertThat(rows(jdbc)).isEqualTo(2);
        }
    }

    @Test
    void theSettingsOfTheDataSourceAreThoseOfTheLedger() {
        assertThat(DataSourceLedger.urlFor(source("jdbc:postgresql://db/shop?sslmode=require", "ann", "a b:c@d")))
                .isEqualTo("postgresql://ann:a%20b%3Ac%40d@db/shop?sslmode=require");
        assertThat(DataSourceLedger.urlFor(source("jdbc:sqlite:shop.db", null, null)))
                .isEqualTo("sqlite:shop.db");
    }

    @Test
    void aDataSourceWithoutALedgerSaysWhatToDo() {
        assertThatThrownBy(() -> DataSourceLedger.urlFor(null)).hasMessageContaining("set idem.ledger");
        assertThatThrownBy(() -> DataSourceLedger.urlFor(source("jdbc:other:shop", "ann", "secret")))
                .hasMessageContaining("PostgreSQL and SQLite")
                .hasMessageNotContaining("secret");
    }

    private static DataSource source(String url, String user, String password) {
        SimpleDriverDataSource source = new SimpleDriverDataSource();
        source.setUrl(url);
        source.setUsername(user);
        source.setPassword(password);
        source.setDriver(new org.sqlite.JDBC());
        return source;
    }

    private static int rows(JdbcTemplate jdbc) {
        return jdbc.queryForObject("SELECT count(*) FROM orders", Integer.class);
    }

    /** A service whose methods have transactions. */
    static class Orders {
        private final AtomicInteger runs = new AtomicInteger();
        private final JdbcTemplate jdbc;

        Orders(DataSource source) {
            this.jdbc = new JdbcTemplate(source);
        }

        @Transactional
        @Once(key = "#p0", transaction = TransactionMode.JOIN)
        public String order(long id, boolean fails) {
            int run = runs.incrementAndGet();
            jdbc.update("INSERT INTO orders VALUES (?)", id);
            if (fails) {
                throw new IllegalStateException("no such article");
            }
            return "order " + run;
        }

        @Transactional
        @Once(key = "#p0", transaction = TransactionMode.INDEPENDENT)
        public String charge(long id) {
            jdbc.update("INSERT INTO orders VALUES (?)", id);
            return "charge " + runs.incrementAndGet();
        }
    }

    /** An application with rows. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Rows {
        @Bean
        DataSource dataSource(Environment environment) {
            return DataSourceBuilder.create()
                    .type(SimpleDriverDataSource.class)
                    .driverClassName("org.sqlite.JDBC")
                    .url(environment.getRequiredProperty("shop.url"))
                    .build();
        }

        @Bean
        Orders orders(DataSource source) {
            return new Orders(source);
        }

        @Bean
        PlatformTransactionManager transactions(DataSource source) {
            return new DataSourceTransactionManager(source);
        }
    }
}
