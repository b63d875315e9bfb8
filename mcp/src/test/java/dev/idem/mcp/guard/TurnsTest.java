package dev.idem.mcp.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Listener;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.mcp.guard.ToolRule.ProbeRule;
import dev.idem.testkit.Until;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The calls of one host in their order, and a server that answers when the test says so. */
class TurnsTest {
    /** Its probe may be asked only after a time that a call does wait for. */
    private static final ToolRule PROBED = new ToolRule(
            Policy.unset().probeGrace(Duration.ofSeconds(40)).waitFor(Duration.ofSeconds(50)),
            List.of(),
            null,
            false,
            false,
            List.of(),
            new ProbeRule("find", Map.of(), "/found", false));

    private final List<Entry> settled = new CopyOnWriteArrayList<>();
    private final Idem idem = Idem.builder()
            .ledger("memory:")
            .quiet()
            .listener(new Listener() {
                @Override
                public void settled(Entry entry) {
                    settled.add(entry);
                }
            })
            .open();
    private final ToolCalls guard = new ToolCalls(
            idem,
            new GuardSettings(
                    "server",
                    null,
                    Duration.ofMinutes(15),
                    new ToolRules(Map.of("probed", PROBED)),
                    false,
                    false,
                    false,
                    false,
                    told -> {}),
            this::send);
    private final Turns turns = new Turns();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final List<String> atTheServer = new CopyOnWriteArrayList<>();
    private final List<String> outOfTurn = new CopyOnWriteArrayList<>();
    private final Map<String, CompletableFuture<Message>> answers = new ConcurrentHashMap<>();

    private CompletableFuture<Message> send(Message request, HostCall from) {
        String call = request.param("name") + " " + ((Map<?, ?>) request.param("arguments")).get("to");
        if (from.turn().over().isDone()) {
            outOfTurn.add(call);
        }
        atTheServer.add(call);
        return answerTo(call);
    }

    private CompletableFuture<Message> answerTo(String call) {
        return answers.computeIfAbsent(call, any -> new CompletableFuture<>());
    }

    private void done(String call) {
        String answer =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}}";
        answerTo(call).complete(Message.ofServer(answer.getBytes(StandardCharsets.UTF_8)));
    }

    /** The host sends a call. Its answer comes later. */
    private CompletableFuture<String> call(String tool, String to) throws Exception {
        return call(tool, to, () -> {});
    }

    private void make(String tool, String to) throws Exception {
        var unused = call(tool, to);
    }

    private CompletableFuture<String> call(String tool, String to, Runnable first) throws Exception {
        String line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":{\"to\":\"" + to + "\"}}}";
        HostCall call = new HostCall(Message.ofHost(line.getBytes(StandardCharsets.UTF_8)), turns.next());
        return CompletableFuture.supplyAsync(
                () -> {
                    first.run();
                    return new String(guard.answer(call), StandardCharsets.UTF_8);
                },
                threads);
    }

    private static String answer(CompletableFuture<String> call) throws Exception {
        return call.get(1, TimeUnit.MINUTES);
    }

    private void awaitAtTheServer(String call) {
        Until.isTrue("the server gets " + call, () -> atTheServer.contains(call));
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        idem.close();
    }

    @Test
    void aWaitingDuplicateDoesNotHoldUpTheNextCall() throws Exception {
        CompletableFuture<String> first = call("pay", "ann");
        CompletableFuture<String> duplicate = call("pay", "ann");
        CompletableFuture<String> next = call("pay", "bob");
        done("pay bob");

        assertThat(answer(next)).contains("done");
        assertThat(duplicate).isNotDone();
        done("pay ann");
        assertThat(answer(first)).contains("\"done\"");
        assertThat(answer(duplicate)).contains("\"done\"", "replayed");
        assertThat(atTheServer).containsExactly("pay ann", "pay bob");
    }

    /** A call that was refused as in flight, and then made again, counted as two. */
    @Test
    void aWaitingDuplicateIsOneCallOfTheSession() throws Exception {
        CompletableFuture<String> first = call("pay", "ann");
        CompletableFuture<String> duplicate = call("pay", "ann");
        make("pay", "bob");
        awaitAtTheServer("pay bob");
        done("pay ann");
        answer(first);
        answer(duplicate);

        assertThat(idem.counts().refusals()).isZero();
        assertThat(idem.counts().waits()).isEqualTo(1);
        assertThat(idem.counts().replays()).isEqualTo(1);
    }

    @Test
    void theOrderAtTheServerIsTheOrderOfTheHost() throws Exception {
        make("pay", "0");
        make("pay", "0");
        for (int i = 1; i < 20; i++) {
            make("pay", "" + i);
            make("pay", "" + (i - 1));
            make("pay", "" + i);
        }
        awaitAtTheServer("pay 19");

        assertThat(atTheServer).hasSize(20);
        for (int i = 0; i < 20; i++) {
            assertThat(atTheServer.get(i)).isEqualTo("pay " + i);
            done("pay " + i);
        }
    }

    @Test
    void aGrantedCallKeepsItsTurnUntilItIsSent() throws Exception {
        CompletableFuture<String> first = call("pay", "ann");
        make("pay", "ann");
        CompletableFuture<String> next = call("pay", "bob");
        awaitAtTheServer("pay bob");
        done("pay ann");
        done("pay bob");
        answer(first);
        answer(next);

        assertThat(outOfTurn).isEmpty();
    }

    /** Such a call was told at once that it is in doubt, though its wait was long enough to find out. */
    @Test
    void aCallThatWaitsForItsProbeHoldsUpNoOther() throws Exception {
        CompletableFuture<String> lost = call("probed", "ann");
        answerTo("probed ann").completeExceptionally(new NoAnswerException("the server has gone"));
        assertThat(answer(lost)).contains("in_doubt");
        CompletableFuture<String> again = call("probed", "ann");
        CompletableFuture<String> next = call("pay", "bob");
        done("pay bob");

        assertThat(answer(next)).contains("\"done\"");
        Entry doubted = settled.get(0);
        assertThat(doubted.state()).isEqualTo(State.IN_DOUBT);
        assertThat(idem.resolve(doubted).asComplete("{\"content\":[]}")).isTrue();
        assertThat(answer(again)).contains("replayed");
        assertThat(atTheServer).containsExactly("probed ann", "pay bob");
    }

    @Test
    void aCallWhoseWaitIsInterruptedHoldsUpNoOther() throws Exception {
        make("pay", "ann");
        CompletableFuture<String> interrupted =
                call("pay", "ann", () -> Thread.currentThread().interrupt());
        CompletableFuture<String> next = call("pay", "bob");
        done("pay bob");

        assertThat(answer(next)).contains("\"done\"");
        assertThat(answer(interrupted)).contains("the guard failed before it sent the call to the server");
        done("pay ann");
        assertThat(atTheServer).containsExactly("pay ann", "pay bob");
    }
}
