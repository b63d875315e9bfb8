package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.RequestStore;
import dev.idem.examples.RequestHandler.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The handler on two stores that share one SQLite file, as two servers of one host would have them. */
class RequestHandlerTest {
    private static final Map<String, Integer> PAYLOAD = Map.of("cents", 4200);

    @TempDir
    Path folder;

    private final AtomicInteger runs = new AtomicInteger();
    private final List<RequestStore> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(RequestStore::close);
    }

    @Test
    void aFormThatIsSubmittedTwiceIsWorkedOnOnce() {
        Reply first = handler().handle("req-1", PAYLOAD);
        Reply second = handler().handle("req-1", PAYLOAD);

        assertThat(first).isEqualTo(new Reply(200, "complete", Map.of("order", 1)));
        assertThat(second).isEqualTo(new Reply(200, "already_processed", Map.of("order", 1L)));
        assertThat(runs).hasValue(1);
    }

    @Test
    void ofTwoAtOnceOneIsWorkedOn() throws Exception {
        List<RequestHandler> servers = List.of(handler(), handler());
        CyclicBarrier gate = new CyclicBarrier(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            RequestHandler server = servers.get(i % 2);
            replies.add(threads.submit((Callable<Reply>) () -> {
                gate.await();
                return server.handle("req-1", PAYLOAD);
            }));
        }
        threads.shutdown();

        List<String> words = new ArrayList<>();
        for (Future<Reply> reply : replies) {
            words.add(reply.get().word());
        }
        assertThat(words).containsOnlyOnce("complete");
        assertThat(words).isSubsetOf("complete", "in_progress", "already_processed");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aPayloadThatWasRefusedMayBeSentAgain() {
        RequestHandler picky = handler(RequestHandlerTest::refuse, this::order);

        assertThat(picky.handle("req-1", PAYLOAD)).isEqualTo(new Reply(400, "refused", null));
        assertThat(runs).hasValue(0);
        assertThat(handler().handle("req-1", PAYLOAD).word()).isEqualTo("complete");
    }

    private static void refuse(Map<String, ?> payload) {
        throw new IllegalArgumentException("no such customer");
    }

    /** {@code NumberFormatException} is an {@code IllegalArgumentException}, and says nothing about the charge before it. */
    @Test
    void anAgentThatChargedAndThenCouldNotParseANumberChargedThreeTimes() {
        RequestHandler broken = handler(payload -> {
            runs.incrementAndGet();
            return Map.of("receipt", Integer.parseInt("no number"));
        });

        assertThatThrownBy(() -> broken.handle("req-1", PAYLOAD)).isInstanceOf(NumberFormatException.class);
        assertThat(broken.handle("req-1", PAYLOAD).word()).isEqualTo("in_doubt");
        assertThat(broken.handle("req-1", PAYLOAD).word()).isEqualTo("in_doubt");
        assertThat(runs).hasValue(1);
    }

    @Test
    void anAgentThatBrokeOffIsNotRunAgain() {
        RequestHandler broken = handler(payload -> {
            runs.incrementAndGet();
            throw new IllegalStateException("the response was lost");
        });

        assertThatThrownBy(() -> broken.handle("req-1", PAYLOAD)).isInstanceOf(IllegalStateException.class);
        assertThat(handler().handle("req-1", PAYLOAD).word()).isEqualTo("in_doubt");
        assertThat(runs).hasValue(1);
    }

    @Test
    void anIdForAnotherPayloadIsRefused() {
        handler().handle("req-1", PAYLOAD);

        assertThat(handler().handle("req-1", Map.of("cents", 1))).isEqualTo(new Reply(422, "conflict", null));
    }

    private RequestHandler handler() {
        return handler(this::order);
    }

    private Map<String, ?> order(Map<String, ?> payload) {
        return Map.of("order", runs.incrementAndGet());
    }

    private RequestHandler handler(Function<Map<String, ?>, Map<String, ?>> agent) {
        return handler(payload -> {}, agent);
    }

    private RequestHandler handler(Consumer<Map<String, ?>> check, Function<Map<String, ?>, Map<String, ?>> agent) {
        RequestStore store = RequestStore.open("sqlite:" + folder.resolve("requests.db"));
        opened.add(store);
        return new RequestHandler(store, check, agent);
    }
}
