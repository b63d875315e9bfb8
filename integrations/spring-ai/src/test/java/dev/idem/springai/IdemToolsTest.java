package dev.idem.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.agent.session.Session;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;

/** The real Spring AI, with a model that is scripted. The build runs this class with 1.1 and with 2.0. */
class IdemToolsTest {
    private static final String CHARGE = "{\"customer\":\"cus_1\",\"cents\":4200}";

    private final Idem idem = Idem.open("memory:");
    private final Shop shop = new Shop();
    private final ScriptedModel model = new ScriptedModel();
    private final IdemTools tools = IdemTools.of(idem, shop);

    @AfterEach
    void close() {
        idem.close();
    }

    private String chat(IdemTools with, Map<String, Object> context) {
        return ChatClient.builder(model)
                .defaultToolCallbacks(with)
                .build()
                .prompt("charge them")
                .toolContext(context)
                .call()
                .content();
    }

    private String chat(String session) {
        return chat(tools, Session.context(session));
    }

    @Test
    void theBuildRunsTheseTestsWithTheVersionThatItSays() {
        String jar = ToolCallback.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(jar).contains(System.getProperty("spring-ai.expected", ""));
    }

    /** Its method returns while the work goes on. */
    static final class Later {
        @Tool(description = "Charges later")
        CompletableFuture<String> charge(String customer) {
            return new CompletableFuture<>();
        }
    }

    @Test
    void aMethodThatReturnsAFutureIsRefusedSinceItsWorkMayStillFail() {
        assertThatThrownBy(() -> IdemTools.of(idem, new Later()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("charge returns a CompletableFuture")
                .hasMessageContaining("Wait for the work in the method");
    }

    @Test
    void aWriteThatTheModelCallsTwiceRunsOnceAndTheModelIsTold() {
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        assertThat(chat("order-1")).isEqualTo("done");

        assertThat(shop.charges).hasValue(1);
        assertThat(model.told().get(0)).contains("ch_1").doesNotContain("Note");
        assertThat(model.told().get(1)).isEqualTo(model.told().get(0));
        assertThat(tools.sessionOf("order-1").report().toString()).contains("1 duplicate prevented");
    }

    @Test
    void aRetryAroundTheWholeRunRunsNothingAgain(@TempDir Path folder) {
        String ledger = "sqlite:" + folder.resolve("idem.db");
        model.calls("charge", CHARGE).breaksDown();
        try (Idem first = Idem.open(ledger)) {
            assertThatThrownBy(() -> chat(IdemTools.of(first, shop), Session.context("order-1")))
                    .hasStackTraceContaining("can't be reached");
        }
        model.calls("lookup", "{\"customer\":\"cus_1\"}")
                .calls("charge", CHARGE)
                .says("done");
        try (Idem restarted = Idem.open(ledger)) {
            assertThat(chat(IdemTools.of(restarted, shop), Session.context("order-1")))
                    .isEqualTo("done");
        }

        assertThat(shop.charges).hasValue(1);
        assertThat(model.told()).last().asString().contains("ch_1").doesNotContain("Note");
    }

    @Test
    void aModelThatCallsTwiceInARunThatIsRetriedExecutesOnceAndIsToldEachTime() {
        model.calls("charge", CHARGE).calls("charge", CHARGE).breaksDown();
        assertThatThrownBy(() -> chat("order-1")).hasStackTraceContaining("can't be reached");
        model.calls("charge", CHARGE).says("done");

        assertThat(chat("order-1")).isEqualTo("done");

        assertThat(shop.charges).hasValue(1);
        assertThat(model.told()).hasSize(3).allSatisfy(text -> assertThat(text).contains("ch_1"));
        assertThat(model.told().get(1)).isEqualTo(model.told().get(0));
        // Spring AI does not say which run a call is of, so the guard takes this for the third in a row.
        assertThat(model.told().get(2)).contains("'charge' is already done; do not call it again");
    }

    @Test
    void usersWithoutASessionShareNoResultsSinceNothingWithEffectsRuns() {
        model.calls("charge", CHARGE)
                .says("alice")
                .calls("charge", CHARGE)
                .says("bob")
                .calls("charge", CHARGE)
                .says("carol");

        chat(tools, Map.of("user", "alice"));
        chat(tools, Map.of());
        chat("default"); // the conversation of everybody who names none

        assertThat(shop.charges).hasValue(0);
        assertThat(model.told())
                .hasSize(3)
                .allSatisfy(text -> assertThat(text)
                        .contains("'charge' was not called")
                        .contains(".toolContext(Session.context(\"order-flow-abc123\"))"));
    }

    @Test
    void readsRunWithoutASessionAndEveryTime() {
        String arguments = "{\"customer\":\"cus_1\"}";
        model.calls("lookup", arguments).calls("lookup", arguments).says("done");

        chat(tools, Map.of());

        assertThat(shop.lookups).hasValue(2);
        assertThat(model.told()).allSatisfy(text -> assertThat(text).contains("cus_1 is a good customer"));
    }

    @Test
    void twoSessionsAreTwoTasks() {
        model.calls("charge", CHARGE).says("one").calls("charge", CHARGE).says("two");

        chat("order-1");
        chat("order-2");

        assertThat(shop.charges).hasValue(2);
        assertThat(shop.keys).doesNotHaveDuplicates();
    }

    @Test
    void aTimeoutLeavesTheCallInDoubtAndTheModelIsToldNotToRepeatIt() {
        shop.failure = new SocketTimeoutException("no answer");
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("I told the user");

        chat("order-1");

        assertThat(shop.keys).hasSize(1);
        assertThat(model.told().get(0))
                .contains("It is unknown whether it took effect")
                .contains("no answer");
        assertThat(model.told().get(1)).contains("was not called").contains("Do not call it again");
    }

    @Test
    void aFailureThatIsDeclaredDefiniteMayBeRepeated() {
        shop.failure = new ConnectException("refused");
        model.calls("charge", CHARGE).says("later");
        chat("order-1");
        assertThat(model.told().get(0)).contains("It had no effect");

        shop.failure = null;
        model.calls("charge", CHARGE).says("done");
        chat("order-1");

        assertThat(shop.charges).hasValue(1);
    }

    @Test
    void theNoteIsInTheTextWhereTheSessionSaysSo() {
        model.calls("charge", CHARGE).calls("charge", CHARGE).says("done");

        chat(IdemTools.like(Session.builder(idem).noteInText()).and(shop), Session.context("order-1"));

        assertThat(model.told().get(1)).startsWith(model.told().get(0)).contains("nothing ran again");
    }

    @Test
    void whatAMethodNeverSeesMakesNoOtherCall() {
        model.calls("mail", "{\"to\":\"a@b.c\"}")
                .calls("mail", "{\"to\":\"a@b.c\",\"subject\":null,\"mood\":\"good\"}")
                .says("done");

        chat("order-1");

        assertThat(shop.mails).hasValue(1);
        assertThat(model.told().get(1)).isEqualTo(model.told().get(0));
    }

    @Test
    void argumentsThatDoNotFitAreRefusedWithWordsAndNothingIsClaimed() {
        model.calls("charge", "{\"customer\":\"cus_1\",\"cents\":\"a lot\"}")
                .calls("charge", CHARGE)
                .says("done");

        chat("order-1");

        assertThat(model.told().get(0)).contains("cents").contains("Correct them and call it again");
        assertThat(shop.charges).hasValue(1);
    }

    @Test
    void whatIsReturnedDirectlyIsTheResultAlone() {
        model.calls("order", "{\"item\":\"a\"}").calls("order", "{\"item\":\"a\"}");

        assertThat(chat("order-1")).isEqualTo(chat("order-1")).contains("order 1");
        assertThat(shop.charges).hasValue(1);
    }

    @Test
    void toolsThatAreNoMethodsAreGuardedTooAndDeclaredByName() {
        AtomicInteger sent = new AtomicInteger();
        Function<Map<String, Object>, String> send = mail -> "sent " + sent.incrementAndGet();
        ToolCallback bare = FunctionToolCallback.builder("send", send)
                .description("Sends a mail")
                .inputType(Map.class)
                .inputSchema("{\"type\":\"object\"}")
                .build();
        model.calls("send", "{\"to\":\"a\",\"body\":\"x\"}")
                .calls("send", "{\"to\":\"a\",\"body\":\"y\"}")
                .says("done");

        chat(IdemTools.of(idem, bare).with("send", tool -> tool.identity("to")), Session.context("order-1"));

        assertThat(sent).hasValue(1);
        assertThat(model.told().get(1)).isEqualTo(model.told().get(0)).contains("sent 1");
    }

    @Test
    void bothWaysToCallAToolAreGuarded() {
        ToolCallback charge = Arrays.stream(ToolCallbacks.from(shop))
                .filter(tool -> tool.getToolDefinition().name().equals("charge"))
                .map(tools::guard)
                .findFirst()
                .orElseThrow();

        assertThat(charge.call(CHARGE)).contains("was not called");
        assertThat(charge.call(CHARGE, new ToolContext(Session.context("order-1"))))
                .contains("ch_1");
        assertThat(tools.guard(charge)).isSameAs(charge);
    }

    /** A tool whose argument can fit the schema and still be no value of its type. */
    public static final class Calendar {
        final List<LocalDate> booked = new ArrayList<>();

        @Tool(description = "Books a day")
        String book(LocalDate day) {
            booked.add(day);
            if (booked.size() == 2) {
                throw new DateTimeException("the answer could not be read");
            }
            return "booked " + day;
        }

        @Tool(description = "Opens the calendar")
        String open() {
            return "open";
        }
    }

    @Test
    void argumentsThatSpringAiCannotConvertHadNoEffectAndWhatTheMethodThrowsIsInDoubt() {
        Calendar calendar = new Calendar();
        model.calls("book", "{\"day\":\"2026-13-45\"}")
                .calls("book", "{\"day\":\"2026-11-16\"}")
                .calls("book", "{\"day\":\"2026-11-17\"}")
                .says("done");

        chat(IdemTools.of(idem, calendar), Session.context("order-1"));

        assertThat(model.told().get(0)).contains("It had no effect").contains("You may correct the cause");
        assertThat(model.told().get(1)).contains("booked 2026-11-16");
        assertThat(model.told().get(2)).contains("It is unknown whether it took effect");
        assertThat(calendar.booked).hasSize(2);
    }

    @Test
    void aCallWithoutArgumentsIsNotLeftInDoubtBecauseItsTextIsEmpty() {
        ToolCallback open = Arrays.stream(ToolCallbacks.from(new Calendar()))
                .filter(tool -> tool.getToolDefinition().name().equals("open"))
                .map(tools::guard)
                .findFirst()
                .orElseThrow();

        assertThat(open.call("", new ToolContext(Session.context("order-1")))).isEqualTo("\"open\"");
    }

    @Test
    void aProcessorThatMakesTextsOfExceptionsCanHideNoneFromTheLedger() {
        shop.failure = new SocketTimeoutException("no answer");
        ToolCallingManager manager = tools.manager(ToolCallingManager.builder()
                .toolExecutionExceptionProcessor(thrown -> "all is well")
                .build());
        Prompt prompt = new Prompt(
                new UserMessage("charge them"),
                ToolCallingChatOptions.builder()
                        .toolCallbacks(ToolCallbacks.from(shop))
                        .toolContext(Session.context("order-1"))
                        .build());

        assertThat(answer(manager, prompt, "charge", CHARGE)).contains("It is unknown whether it took effect");
        assertThat(answer(manager, prompt, "charge", CHARGE)).contains("was not called");
        assertThat(shop.keys).hasSize(1);
    }

    @Test
    void aManagerGuardsToolsHoweverTheyCameAndAnswersForThoseThatDoNotExist() {
        IdemTools none = IdemTools.of(idem).with("charge", tool -> tool.identity("customer", "cents"));
        ToolCallback byName = FunctionToolCallback.builder(
                        "by_name",
                        (Map<String, Object> in, ToolContext context) ->
                                IdemTools.call(context).key())
                .inputType(Map.class)
                .inputSchema("{\"type\":\"object\"}")
                .build();
        ToolCallingManager manager =
                none.manager(ToolCallingManager.builder().build(), name -> name.equals("by_name") ? byName : null);
        Prompt prompt = new Prompt(
                new UserMessage("charge them"),
                ToolCallingChatOptions.builder()
                        .toolCallbacks(ToolCallbacks.from(shop))
                        .toolContext(Session.context("order-1"))
                        .build());

        String first = answer(manager, prompt, "charge", CHARGE);
        assertThat(first).contains("ch_1");
        assertThat(answer(manager, prompt, "charge", CHARGE)).isEqualTo(first);
        assertThat(answer(manager, prompt, "by_name", "{}")).contains("idem_");
        assertThat(answer(manager, prompt, "refund", "{}"))
                .contains("There is no tool 'refund'")
                .contains("charge");
        assertThat(shop.charges).hasValue(1);
    }

    private static String answer(ToolCallingManager manager, Prompt prompt, String tool, String arguments) {
        AssistantMessage message = AssistantMessage.builder()
                .content("")
                .toolCalls(List.of(new AssistantMessage.ToolCall("call_1", "function", tool, arguments)))
                .build();
        ToolExecutionResult executed =
                manager.executeToolCalls(prompt, new ChatResponse(List.of(new Generation(message))));
        int last = executed.conversationHistory().size() - 1;
        return ((ToolResponseMessage) executed.conversationHistory().get(last))
                .getResponses()
                .get(0)
                .responseData();
    }
}
