package dev.idem.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
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
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(server.url())
                .apiKey("none")
                .build();
        try (server;
                Idem idem = Idem.open("memory:")) {
            Session session = Session.of(idem, "order-flow-abc123", tools);
            ChatCompletion last = ToolLoop.of(client, session)
                    .run(ChatCompletionCreateParams.builder()
                            .model("gpt-5")
                            .addUserMessage("Charge cus_1 42 dollars")
                            .build());

            assertThat(last.choices().get(0).message().content()).contains("done");
        } finally {
            client.close();
        }
        assertThat(server.texts().get(0)).contains("ch_1").doesNotContain("Note");
        assertThat(server.texts().get(1)).contains("nothing ran again");
    }
}
