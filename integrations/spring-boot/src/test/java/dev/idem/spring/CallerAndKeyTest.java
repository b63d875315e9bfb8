package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The properties and beans for callers of several tenants, and for keys outside of the header. */
class CallerAndKeyTest {
    private static App app;

    @Import(ShopApplication.class)
    static class Tenants {
        @Bean
        CallerPart host() {
            return request -> ((HttpServletRequest) request).getServerName();
        }
    }

    @BeforeAll
    static void start() {
        app = App.start(
                Tenants.class,
                "idem.ledger=memory:",
                "idem.http.caller-headers=X-Tenant-Id",
                "idem.http.key=/request_id,request_id",
                "idem.http.wrap-replays=true");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Sent order(String tenant, String key) {
        return Sent.post("/orders")
                .header("X-Tenant-Id", tenant)
                .json("{\"item\":\"tea\",\"request_id\":\"" + key + "\"}");
    }

    @Test
    void oneNameInTwoTenantsIsTwoCallers() throws Exception {
        Received first = app.send(order("acme", "one"));
        Received other = app.send(order("globex", "one"));

        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(other.header("Idempotent-Replayed")).isNull();
        assertThat(other.text()).isNotEqualTo(first.text());
        assertThat(app.idem().find(new Address("http://acme/127.0.0.1/ann", "POST /orders", "one")))
                .isPresent();
        Sent tenantless = Sent.post("/orders").json("{\"item\":\"tea\",\"request_id\":\"one\"}");
        assertThat(app.send(tenantless).status()).isEqualTo(401);
    }

    @Test
    void theKeyOfTheBodyIsTheKeyAndAReplaySaysSo() throws Exception {
        Received first = app.send(order("acme", "two"));
        Received replay = app.send(order("acme", "two"));

        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.text())
                .contains("\"already_processed\"", "\"result\":")
                .contains(first.text());
        assertThat(app.send(order("acme", "two").key("three")).status()).isEqualTo(400);
    }
}
