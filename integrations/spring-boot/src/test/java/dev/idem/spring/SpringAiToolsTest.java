package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.SideEffect;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Once;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The manager of Spring AI in an application with the starter: each tool runs once in its session. */
class SpringAiToolsTest {
    /** Public, since Spring AI calls methods of a proxy only if their class is. */
    public static class Shop {
        private final AtomicInteger charges = new AtomicInteger();
        private final AtomicInteger reads = new AtomicInteger();

        @Once(identity = "customer")
        @Tool(name = "charge_card", description = "charges a customer")
        public String charge(String customer, String note) {
            return "charge " + charges.incrementAndGet();
        }

        @Once(SideEffect.READ)
        @Tool(description = "reads a price")
        public String price(String item) {
            return "price " + reads.incrementAndGet();
        }

        int charges() {
            return charges.get();
        }

        int reads() {
            return reads.get();
        }
    }

    @EnableAutoConfiguration
    static class Application {
        @Bean
        Shop shop() {
            return new Shop();
        }
    }

    private static App start(String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return App.start(application, properties);
    }

    private static String call(App app, String session, String tool, String arguments) {
        ToolCallingChatOptions options = ToolCallingChatOptions.builder()
                .toolCallbacks(ToolCallbacks.from(app.bean(Shop.class)))
                .toolContext(Session.context(session))
                .build();
        AssistantMessage message = AssistantMessage.builder()
                .content("")
                .toolCalls(List.of(new AssistantMessage.ToolCall("call", "function", tool, arguments)))
                .build();
        var result = app.bean(ToolCallingManager.class)
                .executeToolCalls(new Prompt("Go", options), new ChatResponse(List.of(new Generation(message))));
        List<?> history = result.conversationHistory();
        return ((ToolResponseMessage) history.get(history.size() - 1))
                .getResponses()
                .get(0)
                .responseData();
    }

    @Test
    void aToolOfABeanRunsOnceInItsSessionAndIsNotGuardedAgainByItsBean() {
        try (App app = start("idem.ledger=memory:")) {
            String charge = "{\"customer\":\"cus_1\",\"note\":\"%s\"}";
            assertThat(call(app, "monday", "charge_card", charge.formatted("thanks")))
                    .contains("charge 1");
            assertThat(call(app, "monday", "charge_card", charge.formatted("thank you")))
                    .contains("charge 1");
            assertThat(app.bean(Shop.class).charges()).isEqualTo(1);

            assertThat(call(app, "tuesday", "charge_card", charge.formatted("thanks")))
                    .contains("charge 2");
            assertThat(app.bean(Shop.class).charges()).isEqualTo(2);

            call(app, "monday", "price", "{\"item\":\"tea\"}");
            call(app, "monday", "price", "{\"item\":\"tea\"}");
            assertThat(app.bean(Shop.class).reads()).isEqualTo(2);
        }
    }

    @Test
    void theManagerIsLeftAloneIfToolsAreTurnedOff() {
        try (App app = start("idem.ledger=memory:", "idem.tools.enabled=false")) {
            assertThat(app.bean(ToolCallingManager.class)).isNotInstanceOf(LazyToolCallingManager.class);
        }
    }
}
