package dev.idem.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import dev.idem.Idem;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import org.junit.jupiter.api.Test;

/** The lines that docs/frameworks.md shows. */
class FiveLinesTest {
    @Test
    void theLinesOfThePageRunTheLoop() {
        Toolbox tools = Toolbox.of(Tool.named("charge").run((call, in) -> "ch_1"));
        ScriptedServer server =
                new ScriptedServer().calls("charge", "{}").calls("charge", "{}").says("done");
        AnthropicClient client = AnthropicOkHttpClient.builder()
                .baseUrl(server.url())
                .apiKey("none")
                .build();
        try (server;
                Idem idem = Idem.open("memory:")) {
            Session session = Session.of(idem, "order-flow-abc123", tools);
            Message last = ToolLoop.of(client, session)
                    .run(MessageCreateParams.builder()
                            .model("claude-sonnet-4-6")
                            .maxTokens(1024)
                            .addUserMessage("Charge cus_1 42 dollars")
                            .build());

            assertThat(last.content().get(0).asText().text()).isEqualTo("done");
        } finally {
            client.close();
        }
        assertThat(server.texts().get(0)).contains("ch_1").doesNotContain("Note");
        assertThat(server.texts().get(1)).contains("nothing ran again");
    }
}
