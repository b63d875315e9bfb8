package dev.idem.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.agent.session.Session;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;

/** The lines that docs/frameworks.md shows. */
class FiveLinesTest {
    @Test
    void theLinesOfThePageGuardTheShop() {
        ScriptedModel model = new ScriptedModel()
                .calls("charge", "{\"customer\":\"cus_1\",\"cents\":4200}")
                .calls("charge", "{\"customer\":\"cus_1\",\"cents\":4200}")
                .says("done");
        try (Idem idem = Idem.open("memory:")) {
            ChatClient client = ChatClient.builder(model)
                    .defaultToolCallbacks(IdemTools.of(idem, new Shop()))
                    .build();
            client.prompt("Charge cus_1 42 dollars")
                    .toolContext(Session.context("order-flow-abc123"))
                    .call()
                    .content();
        }

        assertThat(model.told().get(1)).contains("ch_1").isEqualTo(model.told().get(0));
    }
}
