package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.agent.tool.Once;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code @Once} on handlers: the filter's rules, with a required key. */
class OnceHandlerTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @EnableAutoConfiguration
    @RestController
    static class Shop {
        final AtomicInteger runs = new AtomicInteger();

        @Once(retention = "30d")
        @PostMapping(path = "/payments", params = "!express")
        String pay(@RequestParam("item") String item) {
            return item + " " + runs.incrementAndGet();
        }

        @PostMapping("/notes")
        String note() {
            return "note " + runs.incrementAndGet();
        }
    }

    @Test
    void aHandlerRequiresAKeyAndKeepsItsResponseAsLongAsItSays() throws Exception {
        try (App app = App.start(Shop.class, "idem.ledger=memory:")) {
            Sent pay = Sent.post("/payments").body(FORM, "item=tea");
            Received missing = app.send(pay);
            assertThat(missing.status()).isEqualTo(400);
            assertThat(missing.text()).contains("key-missing");
            assertThat(app.send(Sent.post("/notes")).text()).isEqualTo("note 1");

            assertThat(app.send(pay.key("k")).text()).isEqualTo("tea 2");
            Received replay = app.send(pay.key("k"));

            assertThat(replay.text()).isEqualTo("tea 2");
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            var entry = app.idem()
                    .find(new Address("http:ann", "POST /payments", "k"))
                    .orElseThrow();
            assertThat(Duration.between(entry.times().settled(), entry.times().expires()))
                    .isEqualTo(Duration.ofDays(30));
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class WithKey {
        @Once(key = "#p0")
        @PostMapping("/act")
        String act(@RequestParam("item") String item) {
            return item;
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class OnGet {
        @Once
        @GetMapping("/act")
        String act() {
            return "";
        }
    }

    @EnableAutoConfiguration
    @RestController
    static class Forgetting {
        @Async
        @Once
        @PostMapping("/act")
        public void act() {}
    }

    private static void refused(Class<?> application, String says, String... properties) {
        assertThatThrownBy(() -> App.start(application, properties).close())
                .hasStackTraceContaining("@Once on " + application.getSimpleName())
                .hasStackTraceContaining(says);
    }

    @Test
    void aHandlerThatCanNotBeGuardedStopsTheStartWithASentence() {
        refused(WithKey.class, "the key of a request is in its header Idempotency-Key", "idem.ledger=memory:");
        refused(Forgetting.class, "@Async and returns no future", "idem.ledger=memory:");
        refused(OnGet.class, "[GET] is not guarded", "idem.ledger=memory:");
        refused(Shop.class, "Add its path to idem.http.paths", "idem.ledger=memory:", "idem.http.paths=/notes");
        refused(Shop.class, "idem.http.enabled has to be true", "idem.ledger=memory:", "idem.http.enabled=false");
    }

    private static SpringApplication reactive(Class<?> application) {
        SpringApplication started = new SpringApplication(application);
        started.setWebApplicationType(WebApplicationType.REACTIVE);
        return started;
    }

    @EnableAutoConfiguration
    static class Empty {}

    @Test
    void aWebFluxApplicationThatAsksForGuardedRequestsDoesNotStart() {
        assertThatThrownBy(() -> App.start(reactive(Empty.class), "idem.ledger=memory:", "idem.http.enabled=true")
                        .close())
                .hasStackTraceContaining("WebFlux")
                .hasStackTraceContaining("idem.operation(...)");
        assertThatThrownBy(() ->
                        App.start(reactive(Shop.class), "idem.ledger=memory:").close())
                .hasStackTraceContaining("@Once on Shop.pay")
                .hasStackTraceContaining("WebFlux");
        try (App app = App.start(reactive(Empty.class), "idem.ledger=memory:")) {
            assertThat(app.idem()).isNotNull();
        }
    }
}
