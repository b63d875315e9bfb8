package dev.idem.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.testkit.LogLines;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.mcp.McpToolExecutor;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.stdio.StdioMcpTransport;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real MCP client of LangChain4j, and a real server in a process of its own. */
class McpToolsIT {
    private static final String ANN = "{\"customer\":\"ann\"}";
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Long enough for a call to arrive on a busy machine; nothing answers it. */
    private static final Duration LONGER = Duration.ofSeconds(3);

    interface Assistant {
        String chat(@MemoryId String session, @UserMessage String text);
    }

    interface Nameless {
        String chat(String text);
    }

    @TempDir
    private Path folder;

    private final Idem idem = Idem.open("memory:");
    private final ScriptedModel model = new ScriptedModel();
    private McpClient client;

    @AfterEach
    void close() throws Exception {
        idem.close();
        client.close();
    }

    private McpToolProvider.Builder provider(UnaryOperator<DefaultMcpClient.Builder> settings) {
        client = settings.apply(DefaultMcpClient.builder()
                        .autoHealthCheck(false)
                        .transport(StdioMcpTransport.builder()
                                .command(McpShop.command(folder.resolve("effects")))
                                .build()))
                .build();
        return McpToolProvider.builder().mcpClients(client);
    }

    private void chat(IdemTools tools) {
        AiServices.builder(Assistant.class)
                .chatModel(model)
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
                .toolProvider(tools)
                .build()
                .chat("order-1", "do it");
    }

    private List<String> effects() throws Exception {
        return Files.readAllLines(folder.resolve("effects"));
    }

    private void isInDoubt(String tool) {
        assertThat(model.told()).hasSize(2);
        assertThat(model.told().get(0)).contains("It is unknown whether it took effect");
        assertThat(model.told().get(1))
                .contains("'" + tool + "' was not called")
                .contains("Do not call it again");
        assertThat(model.lastResult().attributes()).containsEntry("idem.status", "in_doubt");
    }

    private void twice(String tool) {
        model.calls(tool, ANN).calls(tool, ANN).says("done");
    }

    @Test
    void theLinesOfThePageGuardTheToolsOfAServer() throws Exception {
        List<String> command = McpShop.command(folder.resolve("effects"));
        McpClient client = DefaultMcpClient.builder()
                .transport(StdioMcpTransport.builder().command(command).build())
                .toolExecutionTimeout(Duration.ofSeconds(30))
                .build();
        McpToolProvider server = McpToolProvider.builder().mcpClients(client).build();
        IdemTools tools = IdemTools.of(idem, server).trustHints().with("charge", tool -> tool.identity("customer"));
        this.client = client;
        model.calls("charge", ANN).calls("charge", ANN).calls("lookup", ANN).says("done");

        chat(tools);

        assertThat(effects()).containsExactly("charge", "lookup");
        assertThat(model.statuses()).containsExactly("ran", "replayed", "ran");
    }

    @Test
    void aCallThatTimedOutIsInDoubtAlthoughTheClientAnswersWithANormalText() {
        McpToolProvider provider =
                provider(mcp -> mcp.toolExecutionTimeout(SHORT)).build();
        twice("stall");

        chat(IdemTools.of(idem, provider));

        isInDoubt("stall");
        assertThat(model.told().get(0)).contains("There was a timeout executing the tool");
    }

    @Test
    void aTimeoutTextThatTheUserHasChosenIsKnownTooAndSoAreWrappedExecutors() {
        McpToolProvider provider = provider(
                        mcp -> mcp.toolExecutionTimeout(SHORT).toolExecutionTimeoutErrorMessage("too slow, sorry"))
                .toolWrapper(bare -> new ToolExecutor() {
                    @Override
                    public String execute(ToolExecutionRequest request, Object memoryId) {
                        return bare.execute(request, memoryId);
                    }

                    @Override
                    public ToolExecutionResult executeWithContext(
                            ToolExecutionRequest request, InvocationContext context) {
                        return bare.executeWithContext(request, context);
                    }
                })
                .build();
        twice("stall");

        chat(IdemTools.of(idem, provider));

        isInDoubt("stall");
        assertThat(model.told().get(0)).contains("too slow, sorry");
    }

    @Test
    @Tag("proof")
    void executorsThatWerePutTogetherByHandAreAskedForTheirClient() {
        provider(mcp -> mcp.toolExecutionTimeout(SHORT).toolExecutionTimeoutErrorMessage("too slow, sorry"));
        List<AiServiceTool> byHand = client.listTools().stream()
                .map(tool -> AiServiceTool.builder()
                        .toolSpecification(tool)
                        .toolExecutor(new McpToolExecutor(client))
                        .build())
                .toList();
        twice("stall");

        chat(IdemTools.of(idem).and(byHand));

        isInDoubt("stall");
    }

    @Test
    void aServerThatDiedInTheMiddleLeavesTheCallInDoubt() throws Exception {
        McpToolProvider provider =
                provider(mcp -> mcp.toolExecutionTimeout(LONGER)).build();
        twice("die");

        chat(IdemTools.of(idem, provider));

        isInDoubt("die");
        assertThat(effects()).containsExactly("die");
    }

    @Test
    void anErrorThatTheServerReportsIsInDoubt() throws Exception {
        McpToolProvider provider = provider(UnaryOperator.identity()).build();
        twice("refuse");

        chat(IdemTools.of(idem, provider));

        isInDoubt("refuse");
        assertThat(model.told().get(0)).contains("the card was declined");
        assertThat(effects()).containsExactly("refuse");
    }

    @Test
    @Tag("proof")
    void anErrorThatTheServerReportsIsDefiniteWhereItIsDeclaredSo() throws Exception {
        McpToolProvider provider = provider(UnaryOperator.identity()).build();
        twice("refuse");

        chat(IdemTools.of(idem, provider)
                .with("refuse", tool -> tool.policy(Policy.unset().definiteOn(ToolReportedErrorException.class))));

        assertThat(model.told())
                .hasSize(2)
                .allSatisfy(text ->
                        assertThat(text).contains("the card was declined").contains("It had no effect"));
        assertThat(effects()).containsExactly("refuse", "refuse");
    }

    @Test
    @Tag("proof")
    void anErrorOfTheProtocolStaysInDoubtWhateverIsDeclaredOfReportedOnes() throws Exception {
        McpToolProvider provider = provider(UnaryOperator.identity()).build();
        twice("break");

        chat(IdemTools.of(idem, provider)
                .with("break", tool -> tool.policy(Policy.unset().definiteOn(ToolReportedErrorException.class))));

        isInDoubt("break");
        assertThat(effects()).containsExactly("break");
    }

    @Test
    @Tag("proof")
    void aReadIsReplayedLikeAWriteUntilTheHintsAreTrustedAndTheLogNamesTheSwitch() throws Exception {
        McpToolProvider provider = provider(UnaryOperator.identity()).build();
        try (LogLines log = LogLines.of("dev.idem.langchain4j")) {
            twice("lookup");
            chat(IdemTools.of(idem, provider));

            assertThat(effects()).containsExactly("lookup");
            assertThat(model.notes().get(1)).contains("nothing ran again");
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains(".trustHints()")
                    .contains("close_account, lookup, set_limit");
        }
    }

    @Test
    void hintsThatAreTrustedSayWhatAToolDoes() throws Exception {
        McpToolProvider provider = provider(UnaryOperator.identity()).build();
        model.calls("lookup", ANN)
                .calls("lookup", ANN)
                .calls("set_limit", ANN)
                .calls("close_account", ANN)
                .calls("charge", ANN)
                .calls("charge", ANN)
                .says("done");
        List<String> sideEffects = new ArrayList<>();
        try (LogLines log = LogLines.of("dev.idem.langchain4j")) {
            IdemTools tools = IdemTools.of(idem, provider).trustHints();
            chat(tools);

            assertThat(effects()).containsExactly("lookup", "lookup", "limit", "close", "charge");
            assertThat(log.warnings()).isEmpty();
            Nameless nameless = AiServices.builder(Nameless.class)
                    .chatModel(model)
                    .toolProvider(tools)
                    .build();
            for (String tool : List.of("set_limit", "close_account", "charge")) {
                model.calls(tool, ANN).says("done");
                nameless.chat("do it");
                sideEffects.add(model.lastResult().text().replaceAll("(?s).*has effects \\((\\w+)\\).*", "$1"));
            }
        }
        assertThat(sideEffects).containsExactly("idempotent", "destructive", "write");
    }
}
