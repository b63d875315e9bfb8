package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.http.webhook.WebhookAnswer;
import dev.idem.http.webhook.WebhookEvent;
import dev.idem.spring.IdemProperties.Mode;
import dev.idem.spring.IdemProperties.Webhook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;

/** The messages for an application whose {@code @WebhookHandler} can't work. It does not start. */
class WebhookRefusalsTest {
    static class Plain {
        @WebhookHandler("stripe")
        void paid(WebhookEvent event) {}
    }

    static class Second {
        @WebhookHandler("stripe")
        void other(String body) {}
    }

    static class Silent {
        @WebhookHandler("stripe")
        void paid() {}
    }

    static class TwoBodies {
        @WebhookHandler("stripe")
        void paid(String body, byte[] bytes) {}
    }

    static class Hidden {
        @WebhookHandler("stripe")
        static void paid(String body) {}
    }

    static class Later {
        @WebhookHandler("stripe")
        CompletableFuture<Void> paid(String body) {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class Forgetting {
        @Async
        @WebhookHandler("stripe")
        void paid(String body) {}
    }

    static class Answering {
        @WebhookHandler("stripe")
        WebhookAnswer paid(String body) {
            return WebhookAnswer.ok("text/plain", body);
        }
    }

    private static Webhook webhook(@Nullable String sender, Mode mode, String... secrets) {
        return new Webhook(List.of(secrets), sender, null, mode, null, null, Duration.ofMinutes(5));
    }

    private static Webhook right() {
        return webhook(null, Mode.HANDLE_FIRST, "a secret");
    }

    private static void refused(Map<String, Webhook> settings, List<Class<?>> beans, String... told) {
        try (AnnotationConfigApplicationContext context =
                        new AnnotationConfigApplicationContext(beans.toArray(Class[]::new));
                Idem idem = Idem.open("memory:")) {
            WebhookEndpoints endpoints = new WebhookEndpoints(idem, settings, context.getBeanFactory(), List::of);
            assertThatThrownBy(() -> {
                        endpoints.afterSingletonsInstantiated();
                        endpoints.start();
                        endpoints.stop();
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(told);
        }
    }

    @Test
    void aWebhookWithoutASecret() {
        refused(Map.of(), List.of(Plain.class), "idem.webhooks.stripe.secrets", "Plain.paid");
        refused(
                Map.of("stripe", webhook(null, Mode.HANDLE_FIRST)),
                List.of(Plain.class),
                "idem.webhooks.stripe.secrets",
                "give a secret");
    }

    /** The event would count as handled before its work has ended. */
    @Test
    void aMethodThatReturnsBeforeItsWorkHasEnded() {
        refused(
                Map.of("stripe", right()),
                List.of(Forgetting.class),
                "Forgetting.paid",
                "it is @Async",
                "Remove @Async");
    }

    @Test
    void aSenderThatIsNotKnown() {
        refused(
                Map.of("stripe", webhook("strpe", Mode.HANDLE_FIRST, "s")),
                List.of(Plain.class),
                "idem.webhooks.stripe.sender",
                "'strpe'",
                "cloudevents");
    }

    @Test
    void twoMethodsOfOneName() {
        refused(
                Map.of("stripe", right()),
                List.of(Plain.class, Second.class),
                "Plain.paid",
                "Second.other",
                "one name");
    }

    @Test
    void propertiesWithoutAMethod() {
        refused(
                Map.of("stripe", right(), "strip", right()),
                List.of(Plain.class),
                "idem.webhooks.strip has no handler",
                "@WebhookHandler(\"strip\")");
    }

    @Test
    void aMethodThatCantBeCalled() {
        refused(Map.of("stripe", right()), List.of(Silent.class), "Silent.paid", "WebhookEvent");
        refused(Map.of("stripe", right()), List.of(TwoBodies.class), "TwoBodies.paid", "one type");
        refused(Map.of("stripe", right()), List.of(Hidden.class), "Hidden.paid", "static or private");
        refused(Map.of("stripe", right()), List.of(Later.class), "Later.paid", "CompletableFuture", "Return void");
    }

    @Test
    void anAnswerOfAMethodThatRunsAfterTheAnswer() {
        refused(
                Map.of("stripe", webhook(null, Mode.RECORD_FIRST, "s")),
                List.of(Answering.class),
                "idem.webhooks.stripe.mode",
                "before the handler runs");
    }

    @Test
    void aSenderThatSignsTheUrlWithoutAPublicUrl() {
        refused(
                Map.of("stripe", webhook("square", Mode.HANDLE_FIRST, "s")),
                List.of(Plain.class),
                "idem.webhooks.stripe.public-url");
    }

    @EnableAutoConfiguration
    @Import(Plain.class)
    static class Application {}

    @Test
    void aWebFluxApplication() {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        assertThatThrownBy(() -> App.start(application, "idem.ledger=memory:"))
                .hasStackTraceContaining("need Spring MVC")
                .hasStackTraceContaining("spring-boot-starter-web");
    }
}
