package dev.idem.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.tool.Once;
import dev.idem.testkit.LogLines;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.resourcesastools.DefaultMcpResourcesAsToolsPresenter;
import dev.langchain4j.mcp.resourcesastools.McpResourcesAsToolsPresenter;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real LangChain4j, with a model that is scripted. */
class IdemToolsTest {
    private static final String CHARGE = "{\"customer\":\"cus_1\",\"cents\":4200}";

    interface Assistant {
        String chat(@MemoryId String session, @UserMessage String text);
    }

    interface Nameless {
        String chat(String text);
    }

    interface ByTask {
        String chat(@UserMessage String text, InvocationParameters task);
    }

    private final Idem idem = Idem.open("memory:");
    private final Shop shop = new Shop();
    private final ScriptedModel model = new ScriptedModel();
    private final IdemTools tools = IdemTools.of(idem, shop);
    private final Assistant assistant = assistant(tools);

    private Assistant assistant(IdemTools tools) {
        return AiServices.builder(Assistant.class)
                .chatModel(model)
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
                .toolProvider(tools)
                .hallucinatedToolNameStrategy(tools::unknown)
                .build();
    }

    @AfterEach
    void close() {
        idem.close();
    }

    /** As methods have them that were compiled without their parameters' names. */
    static final class Misnamed {
        @dev.langchain4j.agent.tool.Tool("Charges a customer")
        @Once(identity = {"customer", "cents"})
        String charge(String arg0, long arg1) {
            return "charged";
        }
    }

    @Test
    void anIdentityOfParametersThatAreNotThereIsRefusedAtOnce() {
        assertThatThrownBy(() -> IdemTools.of(idem, new Misnamed()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("arg0, arg1")
                .hasMessageContaining("-parameters");
    }

    @Test
    void theBuildRunsTheseTestsWithTheVersionThatItSays() {
        assertThat(ToolService.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .contains(System.getProperty("langchain4j.expected", ""));
    }

    /** Its method returns while the work goes on. */
    static final class Later {
        @dev.langchain4j.agent.tool.Tool("Charges later")
        CompletableFuture<String> charge(String customer) {
            return new CompletableFuture<>();
        }
    }

    static final class Streaming {
        @dev.langchain4j.agent.tool.Tool("Asks a model that streams")
        TokenStream ask(String question) {
            throw new UnsupportedOperationException(question);
        }
    }

    @Test
    void aMethodThatReturnsAFutureIsRefusedSinceItsWorkMayStillFail() {
        assertThatThrownBy(() -> IdemTools.of(idem, new Streaming())).hasMessageContaining("ask returns a TokenStream");
        assertThatThrownBy(() -> IdemTools.of(idem, new Later()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("charge returns a CompletableFuture")
                .hasMessageContaining("Wait for the work in the method");
    }

    @Test
    void aWriteThatTheModelCallsTwiceRunsOnceAndTheModelIsTold() {
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        assertThat(assistant.chat("order-1", "charge them")).isEqualTo("done");

        assertThat(shop.charges).hasValue(1);
        assertThat(model.told().get(0)).contains("\"ch_1\"").doesNotContain("Note");
        assertThat(model.statuses()).containsExactly("ran", "replayed");
        assertThat(model.told().get(1)).isEqualTo(model.told().get(0));
        assertThat(model.notes().get(1))
                .contains("Note: 'charge' had already run for this")
                .contains("nothing ran again");
        assertThat(tools.sessionOf("order-1").report().toString()).contains("1 duplicate prevented");
    }

    @Test
    void aRetryAroundTheWholeRunRunsNothingAgain(@TempDir Path folder) {
        String ledger = "sqlite:" + folder.resolve("idem.db");
        model.calls("charge", CHARGE).breaksDown();
        try (Idem first = Idem.open(ledger)) {
            assertThatThrownBy(() -> assistant(IdemTools.of(first, shop)).chat("order-1", "charge them"))
                    .hasMessageContaining("can't be reached");
        }
        model.calls("lookup", "{\"customer\":\"cus_1\"}")
                .calls("charge", CHARGE)
                .says("done");
        try (Idem restarted = Idem.open(ledger)) {
            assertThat(assistant(IdemTools.of(restarted, shop)).chat("order-1", "charge them"))
                    .isEqualTo("done");
        }

        assertThat(shop.charges).hasValue(1);
        assertThat(model.notes()).last().asString().contains("nothing ran again");
    }

    @Test
    void aModelThatCallsTwiceInARunThatIsRetriedExecutesOnceAndIsToldEachTime() {
        model.calls("charge", CHARGE).calls("charge", CHARGE).breaksDown();
        assertThatThrownBy(() -> assistant.chat("order-1", "charge them")).hasMessageContaining("can't be reached");
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        assertThat(assistant.chat("order-1", "charge them")).isEqualTo("done");

        assertThat(shop.charges).hasValue(1);
        assertThat(model.told()).hasSize(4).allSatisfy(text -> assertThat(text).contains("\"ch_1\""));
        assertThat(model.notes().subList(1, 4))
                .allSatisfy(note -> assertThat(note).contains("nothing ran again"));
    }

    @Test
    void runsOfASessionAreNotHeldAgainstEachOtherButALoopInOneRunIsStopped() {
        for (int run = 0; run < 4; run++) {
            model.calls("charge", CHARGE).says("done");
            assistant.chat("order-1", "charge them");
        }
        assertThat(model.told()).hasSize(4).allSatisfy(text -> assertThat(text).contains("ch_1"));
        assertThat(model.lastResult().isError()).isFalse();

        model.calls("charge", CHARGE)
                .calls("charge", CHARGE)
                .calls("charge", CHARGE)
                .calls("charge", CHARGE)
                .says("done");
        assistant.chat("order-1", "charge them");

        assertThat(model.lastResult().isError()).as("it is done").isFalse();
        assertThat(model.lastResult().attributes()).containsEntry("idem.status", "stopped");
        assertThat(model.lastResult().text())
                .contains("already done; do not call it again")
                .contains("ch_1");
        assertThat(shop.charges).hasValue(1);
    }

    @Test
    void usersWhoShareTheDefaultMemoryShareNoResultsSinceNothingWithEffectsRuns() {
        Nameless nameless = AiServices.builder(Nameless.class)
                .chatModel(model)
                .chatMemory(MessageWindowChatMemory.withMaxMessages(20))
                .toolProvider(tools)
                .build();
        model.calls("charge", CHARGE)
                .says("alice is told")
                .calls("charge", CHARGE)
                .says("bob is told");

        nameless.chat("I am alice, charge me");
        nameless.chat("I am bob, charge me");

        assertThat(shop.charges).hasValue(0);
        assertThat(model.told())
                .hasSize(2)
                .allSatisfy(text -> assertThat(text)
                        .contains("'charge' was not called")
                        .contains("String chat(@MemoryId String session, @UserMessage String text);"));
        assertThat(model.lastResult().isError()).isTrue();
    }

    @Test
    void readsRunWithoutASessionAndEveryTime() {
        Nameless nameless = AiServices.builder(Nameless.class)
                .chatModel(model)
                .toolProvider(tools)
                .build();
        String arguments = "{\"customer\":\"cus_1\"}";
        model.calls("lookup", arguments).calls("lookup", arguments).says("done");

        nameless.chat("who is it?");

        assertThat(shop.lookups).hasValue(2);
        assertThat(model.told()).containsOnly("cus_1 is a good customer");
    }

    @Test
    void twoSessionsAreTwoTasks() {
        model.calls("charge", CHARGE).says("one").calls("charge", CHARGE).says("two");

        assistant.chat("order-1", "charge them");
        assistant.chat("order-2", "charge them");

        assertThat(shop.charges).hasValue(2);
        assertThat(shop.keys).doesNotHaveDuplicates();
    }

    @Test
    void aTaskCanBeNamedApartFromTheMemory() {
        ByTask byTask = AiServices.builder(ByTask.class)
                .chatModel(model)
                .toolProvider(tools)
                .build();
        model.calls("charge", CHARGE)
                .says("one")
                .calls("charge", CHARGE)
                .says("two")
                .calls("charge", CHARGE)
                .says("three");

        byTask.chat("charge them", IdemTools.session("order-1"));
        byTask.chat("charge them", IdemTools.session("order-2"));
        byTask.chat("charge them", IdemTools.session("order-2"));

        assertThat(shop.charges).hasValue(2);
    }

    @Test
    void aTimeoutLeavesTheCallInDoubtAndTheModelIsToldNotToRepeatIt() {
        shop.failure = Shop.timeout();
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("I told the user");

        assistant.chat("order-1", "charge them");

        assertThat(shop.keys).hasSize(1);
        assertThat(model.told().get(0))
                .contains("It is unknown whether it took effect")
                .contains("no answer");
        assertThat(model.told().get(1)).contains("was not called").contains("Do not call it again");
        assertThat(model.lastResult().isError()).isTrue();
        assertThat(model.lastResult().attributes()).containsEntry("idem.status", "in_doubt");
    }

    @Test
    void aFailureThatIsDeclaredDefiniteMayBeRepeated() {
        shop.failure = new ConnectException("refused");
        model.calls("charge", CHARGE).says("later");
        assistant.chat("order-1", "charge them");
        assertThat(model.told().get(0)).contains("It had no effect");

        shop.failure = null;
        model.calls("charge", CHARGE).says("done");
        assistant.chat("order-1", "try again");

        assertThat(shop.charges).hasValue(1);
    }

    @Test
    void whatAMethodNeverSeesMakesNoOtherCall() {
        String wordy = "{\"cents\":4200,\"customer\":\"cus_1\",\"note\":null,\"thought\":\"again, to be sure\"}";
        model.calls("mail", "{\"to\":\"a@b.c\"}")
                .calls("mail", "{\"to\":\"a@b.c\",\"subject\":null,\"mood\":\"good\"}")
                .calls("charge", CHARGE)
                .calls("charge", wordy)
                .says("done");

        assistant.chat("order-1", "charge them");

        assertThat(shop.mails).hasValue(1);
        assertThat(shop.charges).hasValue(1);
        assertThat(model.notes().get(1)).contains("nothing ran again");
        assertThat(model.notes().get(3)).contains("nothing ran again");
    }

    @Test
    void argumentsThatDoNotFitAreRefusedWithWordsAndNothingIsClaimed() {
        model.calls("charge", "{\"customer\":\"cus_1\",\"cents\":\"a lot\"}")
                .calls("charge", CHARGE)
                .says("done");

        assistant.chat("order-1", "charge them");

        assertThat(model.told().get(0)).contains("cents").contains("Correct them and call it again");
        assertThat(shop.charges).hasValue(1);
    }

    @Test
    void anUnknownToolIsAnAnswerAndNotTheEndOfTheRun() {
        model.calls("refund", "{}").says("sorry");

        assertThat(assistant.chat("order-1", "refund them")).isEqualTo("sorry");

        assertThat(model.told().get(0)).contains("There is no tool 'refund'").contains("charge");
    }

    @Test
    void picturesAreReplayedAsPictures() {
        model.calls("draw", "{\"what\":\"a cat\"}")
                .calls("draw", "{\"what\":\"a cat\"}")
                .says("done");

        assistant.chat("order-1", "draw a cat");

        assertThat(shop.charges).hasValue(1);
        assertThat(model.lastResult().contents()).hasSize(2);
        assertThat(model.lastResult().contents().get(0))
                .isInstanceOfSatisfying(
                        ImageContent.class,
                        picture -> assertThat(picture.image().base64Data()).isEqualTo("AAAA"));
        assertThat(model.lastResult().contents().get(1))
                .isInstanceOfSatisfying(
                        TextContent.class, note -> assertThat(note.text()).contains("nothing ran again"));
    }

    @Test
    void aResultWithoutATextDoesNotMakeItRunAgain() {
        model.calls("open", "{\"host\":\"a\"}")
                .calls("open", "{\"host\":\"a\"}")
                .says("done");

        assertThat(assistant.chat("order-1", "open it")).isEqualTo("done");

        assertThat(shop.charges).hasValue(1);
        assertThat(model.told().get(1)).contains("has already run").contains("not run again");
    }

    @Test
    void toolsOfOtherProvidersAreGuardedTooAndDeclaredByName() {
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        AiServiceTool remote = remote("remote_send", (request, memory) -> "sent " + sent.incrementAndGet());
        AiServiceTool failing = AiServiceTool.builder()
                .toolSpecification(
                        ToolSpecification.builder().name("remote_fail").build())
                .toolExecutor(new ReportsErrors(failures))
                .build();
        IdemTools guarded = IdemTools.of(
                        idem, (ToolProvider) request -> new ToolProviderResult(List.of(remote, failing)))
                .with(
                        "remote_send",
                        tool -> tool.identity("to")
                                .policy(Policy.unset().passesKeyTo(new RemoteKeys("mail", Duration.ofHours(24)))));
        model.calls("remote_send", "{\"to\":\"a\",\"body\":\"x\"}")
                .calls("remote_send", "{\"to\":\"a\",\"body\":\"y\"}")
                .calls("remote_fail", "{}")
                .calls("remote_fail", "{}")
                .says("done");

        assistant(guarded).chat("order-1", "send it");

        assertThat(sent).hasValue(1);
        assertThat(failures).hasValue(1);
        assertThat(model.told().get(1)).isEqualTo("sent 1");
        assertThat(model.notes().get(1)).contains("the first wording stands");
        assertThat(model.told().get(2)).contains("It is unknown").contains("the server said no");
        assertThat(model.told().get(3)).contains("was not called");
    }

    @Test
    void anExecutorThatMakesTextsOfExceptionsLeavesTheCallInDoubt() throws Exception {
        shop.failure = new ConnectException("refused");
        AiServiceTool byHand = tools.provideTools(null).aiServiceTools().stream()
                .filter(tool -> tool.name().equals("charge"))
                .findFirst()
                .orElseThrow()
                .toBuilder()
                .toolExecutor(new DefaultToolExecutor(
                        shop,
                        Shop.class.getDeclaredMethod(
                                "charge", String.class, long.class, String.class, GuardedCall.class)))
                .build();
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        assistant(IdemTools.of(idem).and(List.of(byHand))).chat("order-1", "charge them");

        // It gives the text of the exception alone, which does not tell what kind it was.
        assertThat(model.told().get(0)).contains("refused").contains("It is unknown");
        assertThat(model.statuses()).containsExactly("in_doubt", "in_doubt");
        assertThat(shop.keys).hasSize(1);
    }

    @Test
    void aHandlerThatMakesTextsOfExceptionsCanHideNoneFromTheLedger() {
        shop.failure = Shop.timeout();
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        AiServices.builder(Assistant.class)
                .chatModel(model)
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
                .toolProvider(tools)
                .toolExecutionErrorHandler((error, context) -> ToolErrorHandlerResult.text("all is well"))
                .toolArgumentsErrorHandler((error, context) -> ToolErrorHandlerResult.text("all is well"))
                .build()
                .chat("order-1", "charge them");

        assertThat(model.statuses()).containsExactly("in_doubt", "in_doubt");
        assertThat(shop.keys).hasSize(1);
    }

    @Test
    void theResourcesOfAnMcpServerAreReadEachTime() {
        McpResourcesAsToolsPresenter presenter =
                DefaultMcpResourcesAsToolsPresenter.builder().build();
        AiServiceTool list = AiServiceTool.builder()
                .toolSpecification(presenter.createListResourcesSpecification())
                .toolExecutor(presenter.createListResourcesExecutor(List.of()))
                .build();
        model.calls(list.name(), "{}").calls(list.name(), "{}").says("done");

        assistant(IdemTools.of(idem).and(List.of(list))).chat("order-1", "what is there?");

        assertThat(model.statuses()).containsExactly("ran", "ran");
    }

    /** As a client that keeps its texts to itself. */
    @Test
    void aClientWhoseTimeoutsAreNotKnownIsNamedInTheLog() {
        McpClient unknown = (McpClient) Proxy.newProxyInstance(
                McpClient.class.getClassLoader(), new Class<?>[] {McpClient.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("listTools")) {
                        return List.of(ToolSpecification.builder().name("send").build());
                    }
                    return ToolExecutionResult.builder()
                            .resultText("no answer within 5 s")
                            .build();
                });
        McpToolProvider provider = McpToolProvider.builder().mcpClients(unknown).build();
        model.calls("send", "{}").calls("send", "{}").says("done");
        try (LogLines log = LogLines.of("dev.idem.langchain4j")) {
            IdemTools guarded =
                    IdemTools.of(idem, provider).with("send", tool -> tool.doubtIf("no answer within 5 s"::equals));

            assistant(guarded).chat("order-1", "send it");

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains(unknown.getClass().getName())
                    .contains("There was a timeout executing the tool")
                    .contains("tool.doubtIf(");
        }
        assertThat(model.statuses()).containsExactly("in_doubt", "in_doubt");
    }

    @Test
    void aSettingToolWhoseHintIsTrustedRunsAgainUnlessItIsDeclaredToBeAWrite() {
        List<String> written = new ArrayList<>();
        List<AiServiceTool> setting = Stream.of("write_file", "charge_card")
                .map(name -> AiServiceTool.builder()
                        .toolSpecification(ToolSpecification.builder()
                                .name(name)
                                .metadata(Map.of("idempotentHint", true))
                                .build())
                        .toolExecutor((request, memory) -> {
                            written.add(request.name() + request.arguments());
                            return "written";
                        })
                        .build())
                .toList();
        IdemTools guarded = IdemTools.of(idem, (ToolProvider) request -> new ToolProviderResult(setting))
                .trustHints()
                .with("charge_card", tool -> tool.policy(Policy.write()));
        for (String text : List.of("{\"text\":1}", "{\"text\":2}", "{\"text\":1}")) {
            model.calls("write_file", text).calls("charge_card", text);
        }
        model.says("done");

        assistant(guarded).chat("order-1", "write them");

        assertThat(written)
                .containsExactly(
                        "write_file{\"text\":1}",
                        "charge_card{\"text\":1}",
                        "write_file{\"text\":2}",
                        "charge_card{\"text\":2}",
                        "write_file{\"text\":1}");
    }

    private static AiServiceTool remote(String name, ToolExecutor executor) {
        return AiServiceTool.builder()
                .toolSpecification(ToolSpecification.builder().name(name).build())
                .toolExecutor(executor)
                .build();
    }

    private record ReportsErrors(AtomicInteger runs) implements ToolExecutor {
        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            throw new AssertionError("asked in the old way");
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            runs.incrementAndGet();
            return ToolExecutionResult.builder()
                    .isError(true)
                    .resultText("the server said no")
                    .build();
        }
    }
}
