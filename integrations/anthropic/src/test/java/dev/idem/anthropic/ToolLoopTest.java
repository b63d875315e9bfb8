package dev.idem.anthropic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.StopReason;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real client against a server that speaks the API; only what the model says is scripted. */
class ToolLoopTest {
    record Charge(String customer, long cents) {}

    private static final String CHARGE = "{\"customer\":\"cus_1\",\"cents\":4200}";
    private static final MessageCreateParams QUESTION = MessageCreateParams.builder()
            .model("scripted")
            .maxTokens(256)
            .addUserMessage("charge them")
            .build();

    private final AtomicInteger charges = new AtomicInteger();
    private final Tool charge = Tool.named("charge")
            .description("Charges a customer")
            .input(Charge.class)
            .run((call, in) -> "ch_" + charges.incrementAndGet() + " for " + in.cents());
    private final Idem idem = Idem.open("memory:");
    private final ScriptedServer server = new ScriptedServer();
    private final AnthropicClient client = client(0);

    private AnthropicClient client(int retries) {
        return AnthropicOkHttpClient.builder()
                .baseUrl(server.url())
                .apiKey("none")
                .maxRetries(retries)
                .build();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        idem.close();
    }

    private Message run(String session, Tool... tools) {
        return ToolLoop.of(client, Session.of(idem, session, tools)).run(QUESTION);
    }

    @Test
    void aWriteThatTheModelCallsTwiceRunsOnceAndTheModelIsTold() {
        server.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        Message last = run("order-1", charge);

        assertThat(last.content().get(0).asText().text()).isEqualTo("done");
        assertThat(charges).hasValue(1);
        assertThat(server.texts()).hasSize(2).first().isEqualTo("ch_1 for 4200");
        assertThat(server.texts().get(1))
                .contains("Note: 'charge' had already run for this")
                .contains("nothing ran again");
    }

    @Test
    void aRunThatBrokeOffGoesOnInAnotherProcessWhereItWas(@TempDir Path folder) {
        String ledger = "sqlite:" + folder.resolve("idem.db");
        server.calls("charge", CHARGE).fails(500);
        try (Idem first = Idem.open(ledger)) {
            ToolLoop loop = ToolLoop.of(client, Session.of(first, "order-1", charge));
            assertThatThrownBy(() -> loop.run(QUESTION)).isInstanceOf(AnthropicServiceException.class);
        }
        server.calls("charge", CHARGE).says("done");
        try (Idem restarted = Idem.open(ledger)) {
            ToolLoop.of(client, Session.of(restarted, "order-1", charge)).run(QUESTION);
        }

        assertThat(charges).hasValue(1);
        assertThat(server.texts()).last().asString().contains("nothing ran again");
    }

    @Test
    void theRetriesOfTheClientItselfChangeNothing() {
        AnthropicClient retrying = client(1);
        try {
            server.calls("charge", CHARGE).fails(503).says("done");

            ToolLoop.of(retrying, Session.of(idem, "order-1", charge)).run(QUESTION);

            assertThat(charges).hasValue(1);
        } finally {
            retrying.close();
        }
    }

    @Test
    void aCallInDoubtIsAnErrorForTheModelWithWords() {
        Tool lost = Tool.named("charge").run((call, in) -> {
            charges.incrementAndGet();
            throw new SocketTimeoutException("no answer");
        });
        server.calls("charge", CHARGE).calls("charge", CHARGE).says("I told the user");

        run("order-1", lost);

        assertThat(charges).hasValue(1);
        assertThat(server.lastResult().get("is_error")).isEqualTo(true);
        assertThat(server.told()).contains("was not called").contains("Do not call it again");
    }

    @Test
    void theModelIsShownTheToolsWithTheirSchemasAndToldAboutThoseThatDoNotExist() {
        Tool lookup = Tool.named("lookup").policy(Policy.read()).run((call, in) -> "a good customer");
        server.calls("refund", "{}").says("sorry");

        run("order-1", charge, lookup);

        List<?> tools = (List<?>) server.asked().get(0).get("tools");
        assertThat(tools).hasSize(2);
        Map<?, ?> shown = (Map<?, ?>) tools.get(0);
        assertThat(shown.get("name")).isEqualTo("charge");
        assertThat(shown.get("description")).isEqualTo("Charges a customer");
        assertThat(String.valueOf(shown.get("input_schema"))).contains("cents").contains("integer");
        assertThat(server.told()).contains("There is no tool 'refund'").contains("charge, lookup");
    }

    @Test
    void halfOfACallIsNone() {
        server.calls("charge", "{\"customer\":\"cus_1\",\"cents\":42}", "max_tokens");

        Message last = run("order-1", charge);

        assertThat(last.stopReason()).contains(StopReason.MAX_TOKENS);
        assertThat(charges).hasValue(0);
    }

    @Test
    void aModelThatNeverEndsIsEnded() {
        server.calls("charge", CHARGE).calls("charge", CHARGE).calls("charge", CHARGE);
        ToolLoop loop = ToolLoop.of(client, Session.of(idem, "order-1", charge)).rounds(3);

        assertThatThrownBy(() -> loop.run(QUESTION))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("asked 3 times")
                .hasMessageContaining("order-1");
        assertThat(charges).hasValue(1);
    }
}
