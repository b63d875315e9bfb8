package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.State;
import dev.idem.spi.Awaitable;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.store.StoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Sessions that search a schema before {@code pg_catalog} which has a function for each function of the system, and an
 * operator for each operator. Each of these throws, so a statement with a name that is not qualified fails.
 */
class SearchPathTest extends StoreContract {
    private static final String ROLE = "shadowed";
    private static final HikariDataSource CONNECTIONS = new HikariDataSource();
    private static final TestServer SERVER = TestServer.shared();

    private final String schema = TestServer.newSchema();
    private PostgresqlSettings settings;

    @BeforeAll
    static void castShadows() {
        SERVER.execute("""
                CREATE SCHEMA shadows;
                CREATE ROLE shadowed SUPERUSER LOGIN;
                ALTER ROLE shadowed SET search_path = shadows, pg_catalog;
                DO $do$
                DECLARE
                    each record;
                BEGIN
                    FOR each IN
                        SELECT p.proname AS name, pg_get_function_identity_arguments(p.oid) AS arguments,
                            pg_get_function_result(p.oid) AS result
                        FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace
                            AND p.prokind IN ('f', 'a') AND p.prorettype NOT IN (
                                SELECT oid FROM pg_type WHERE typtype = 'p' AND typname <> 'void')
                    LOOP
                        BEGIN
                            EXECUTE format(
                                'CREATE FUNCTION shadows.%I(%s) RETURNS %s LANGUAGE plpgsql AS $f$
                                BEGIN RAISE EXCEPTION ''%% was not qualified'', %L; END $f$',
                                each.name, each.arguments, each.result, each.name);
                        EXCEPTION WHEN OTHERS THEN
                            -- Of arguments of any type there is no function in PL/pgSQL.
                        END;
                    END LOOP;
                    FOR each IN
                        SELECT o.oprname AS name, format_type(o.oprleft, NULL) AS a, format_type(o.oprright, NULL) AS b,
                            format_type(o.oprresult, NULL) AS result, row_number() OVER () AS number
                        FROM pg_operator o WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprleft <> 0
                    LOOP
                        BEGIN
                            EXECUTE format(
                                'CREATE FUNCTION shadows.operator_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS $f$
                                BEGIN RAISE EXCEPTION ''%% was not qualified'', %L; END $f$;
                                CREATE OPERATOR shadows.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = shadows.operator_%s)',
                                each.number, each.a, each.b, each.result, each.name,
                                each.name, each.a, each.b, each.number);
                        EXCEPTION WHEN OTHERS THEN
                        END;
                    END LOOP;
                END $do$""");
        assertThat(SERVER.number("SELECT count(*) FROM pg_operator WHERE oprnamespace = 'shadows'::regnamespace"))
                .isGreaterThan(500);
        assertThat(SERVER.number("SELECT count(*) FROM pg_proc WHERE pronamespace = 'shadows'::regnamespace"))
                .isGreaterThan(2000);
        CONNECTIONS.setDataSource(source());
    }

    @AfterAll
    static void end() {
        CONNECTIONS.close();
    }

    private static PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + SERVER.port() + "/postgres?user=" + ROLE);
        return source;
    }

    @Override
    protected EntryStore open(LedgerContext context) {
        PostgresqlErrors errors = new PostgresqlErrors("here", settings.schema());
        return new PostgresqlStore(new Server("here", settings, errors, Database.of(CONNECTIONS, errors)));
    }

    @Override
    protected SettableClocks clocks() {
        settings = SERVER.emptied(PostgresqlSettings.defaults());
        return SettableClocks.wallOnly().followedBy(now -> SERVER.set(settings.schema(), now));
    }

    private static String url(String schema) {
        return SERVER.url(schema).replace("postgres@", ROLE + "@");
    }

    @Test
    void anUnqualifiedNameIsFound() throws SQLException {
        try (Connection connection = CONNECTIONS.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : List.of("SELECT clock_timestamp()", "SELECT 1 = 1", "SELECT 'a' IN ('b')")) {
                assertThatThrownBy(() -> statement.execute(sql)).hasMessageContaining("was not qualified");
            }
        }
    }

    @Test
    void aNewLedgerIsMadeAndSearched() {
        try (Ledger ledger = SERVER.open(url(schema), Requests.HERE)) {
            ledger.settle(Requests.take(ledger, "k"), Settlements.completed("1"));
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            Query query = Query.all()
                    .withScope("shop")
                    .withOperation("charge")
                    .withKeyLike(Match.prefix("k"))
                    .withAge(Duration.ZERO, Duration.ofHours(1));
            assertThat(browsable.browse(query).entries()).hasSize(1);
            assertThat(browsable.browse(query.withLabels(Map.of("run", "7"))).entries())
                    .isEmpty();
            assertThat(browsable.browse(query.withStates(State.IN_PROGRESS)).entries())
                    .isEmpty();
        }
    }

    @Test
    void waitersAreWoken() throws Exception {
        try (Ledger working = SERVER.open(url(schema), Requests.HERE);
                Ledger waiting = SERVER.open(url(schema), Requests.HERE)) {
            Ticket ticket = Requests.take(working, "k");
            Semaphore bell = new Semaphore(0);
            try (Awaitable.Watch watch =
                    waiting.as(Awaitable.class).orElseThrow().watch(Requests.address("k"), bell::release)) {
                assertThat(watch).isNotNull();
                // The one look that every new waiter is given.
                assertThat(bell.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                working.settle(ticket, Settlements.completed("1"));
                assertThat(bell.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void transactionsAreJoined() throws SQLException {
        try (Idem idem = Idem.builder().ledger(url(schema)).quiet().open();
                Connection connection = CONNECTIONS.getConnection()) {
            Operation<String> order = idem.operation("order").returning(String.class);
            assertThat(order.key("own").inTransaction(Connection.class).run((call, rows) -> "own"))
                    .isEqualTo("own");
            connection.setAutoCommit(false);
            assertThat(order.key("joined").inTransactionOn(connection).run((call, rows) -> "joined"))
                    .isEqualTo("joined");
            connection.commit();
        }
    }
}
