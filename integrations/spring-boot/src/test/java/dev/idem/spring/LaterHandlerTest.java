package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.agent.tool.Once;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers that return before their work has ended. Their requests are settled when the work ends, not before. */
class LaterHandlerTest {
    private static App app;

    @BeforeAll
    static void start() {
        app = App.start(Shop.class, "idem.ledger=memory:");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @EnableAutoConfiguration
    @RestController
    static class Shop {
        final AtomicInteger runs = new AtomicInteger();
        final Map<String, CompletableFuture<String>> works = new ConcurrentHashMap<>();

        CompletableFuture<String> work(String id) {
            return works.computeIfAbsent(id, one -> new CompletableFuture<>());
        }

        private CompletableFuture<String> begun(String id) {
            runs.incrementAndGet();
            return work(id);
        }

        @Once
        @PostMapping("/future")
        CompletableFuture<String> future(@RequestParam("id") String id) {
            return begun(id);
        }

        @Once
        @PostMapping("/deferred")
        DeferredResult<String> deferred(@RequestParam("id") String id) {
            DeferredResult<String> later = new DeferredResult<>();
            var unused = begun(id).whenComplete((value, thrown) -> {
                boolean set = thrown == null ? later.setResult(value) : later.setErrorResult(thrown);
                assertThat(set).isTrue();
            });
            return later;
        }

        @Once
        @PostMapping("/callable")
        Callable<String> callable(@RequestParam("id") String id) {
            return begun(id)::get;
        }

        @Once
        @PostMapping("/publisher")
        Flow.Publisher<String> publisher(@RequestParam("id") String id) {
            CompletableFuture<String> work = begun(id);
            return subscriber -> subscriber.onSubscribe(new Giving(work, subscriber));
        }

        @Once
        @PostMapping("/stream")
        StreamingResponseBody stream(@RequestParam("id") String id) {
            CompletableFuture<String> work = begun(id);
            return out -> {
                out.write("first ".getBytes(StandardCharsets.UTF_8));
                try {
                    out.write(work.get().getBytes(StandardCharsets.UTF_8));
                } catch (InterruptedException | ExecutionException e) {
                    throw new IllegalStateException(e);
                }
            };
        }

        @Once
        @PostMapping("/emitter")
        ResponseEntity<ResponseBodyEmitter> emitter(@RequestParam("id") String id) throws IOException {
            return ResponseEntity.ok(emitting(new ResponseBodyEmitter(), id));
        }

        @Once
        @PostMapping("/events")
        SseEmitter events(@RequestParam("id") String id) throws IOException {
            SseEmitter events = new SseEmitter();
            emitting(events, id);
            return events;
        }

        private ResponseBodyEmitter emitting(ResponseBodyEmitter emitter, String id) throws IOException {
            emitter.send("first ");
            var unused = begun(id).whenComplete((value, thrown) -> {
                try {
                    if (thrown == null) {
                        emitter.send(value);
                        emitter.complete();
                    } else {
                        emitter.completeWithError(thrown);
                    }
                } catch (IOException e) {
                    emitter.completeWithError(e);
                }
            });
            return emitter;
        }

        /** Its work goes on after the client was told that it takes too long. */
        @Once
        @PostMapping("/late")
        DeferredResult<String> late(@RequestParam("id") String id) {
            DeferredResult<String> later = new DeferredResult<>(100L);
            var unused = begun(id).thenAccept(later::setResult);
            return later;
        }
    }

    /** Gives one value when it is there. */
    private static final class Giving implements Flow.Subscription {
        private final CompletableFuture<String> work;
        private final Flow.Subscriber<? super String> subscriber;
        private final AtomicBoolean asked = new AtomicBoolean();

        Giving(CompletableFuture<String> work, Flow.Subscriber<? super String> subscriber) {
            this.work = work;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long most) {
            if (asked.compareAndSet(false, true)) {
                var unused = work.whenComplete((value, thrown) -> {
                    if (thrown == null) {
                        subscriber.onNext(value);
                        subscriber.onComplete();
                    } else {
                        subscriber.onError(thrown);
                    }
                });
            }
        }

        @Override
        public void cancel() {}
    }

    private static State state(String handler, String key) {
        return app.idem()
                .find(new Address("http:ann", "POST /" + handler, key))
                .orElseThrow()
                .state();
    }

    private static Sent request(String handler, String key) {
        return Sent.post("/" + handler + "?id=" + key + handler).key(key);
    }

    /** Sends a request and waits until its handler has begun. */
    private static CompletableFuture<Received> begin(String handler, String key) throws Exception {
        Shop shop = app.bean(Shop.class);
        int before = shop.runs.get();
        CompletableFuture<Received> answer = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        answer.complete(app.send(request(handler, key)));
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                    }
                })
                .start();
        Until.isTrue("the handler has begun", () -> shop.runs.get() > before);
        return answer;
    }

    private static CompletableFuture<String> work(String handler, String key) {
        return app.bean(Shop.class).work(key + handler);
    }

    @ParameterizedTest
    @ValueSource(strings = {"future", "deferred", "callable", "publisher", "stream", "emitter", "events"})
    void isCompleteWhenItsWorkHasEnded(String handler) throws Exception {
        CompletableFuture<Received> answer = begin(handler, "done");
        assertThat(state(handler, "done")).isEqualTo(State.IN_PROGRESS);
        assertThat(answer).isNotDone();

        work(handler, "done").complete("ch_1");

        Received first = answer.get();
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(first.text()).contains("ch_1");
        assertThat(state(handler, "done")).isEqualTo(State.COMPLETE);
        int runs = app.bean(Shop.class).runs.get();
        Received again = app.send(request(handler, "done"));
        if (handler.equals("events")) {
            assertThat(again.text()).contains("result-not-kept");
        } else {
            assertThat(again.text()).isEqualTo(first.text());
        }
        assertThat(app.bean(Shop.class).runs).hasValue(runs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"future", "deferred", "callable", "publisher", "stream", "emitter", "events"})
    void isInDoubtWhenItsWorkFails(String handler) throws Exception {
        CompletableFuture<Received> answer = begin(handler, "poor");

        work(handler, "poor").completeExceptionally(new IllegalStateException("the card was declined"));
        assertThat(answer.handle((received, thrown) -> true).get()).isTrue();

        Until.isTrue("it is settled", () -> state(handler, "poor") != State.IN_PROGRESS);
        assertThat(state(handler, "poor")).isEqualTo(State.IN_DOUBT);
        int runs = app.bean(Shop.class).runs.get();
        assertThat(app.send(request(handler, "poor")).status()).isEqualTo(409);
        assertThat(app.bean(Shop.class).runs).hasValue(runs);
    }

    @Test
    void isInDoubtWhenItsAnswerComesTooLate() throws Exception {
        CompletableFuture<Received> answer = begin("late", "late");

        assertThat(answer.get().status()).isEqualTo(503);

        assertThat(state("late", "late")).isEqualTo(State.IN_DOUBT);
        work("late", "late").complete("ch_1");
        assertThat(state("late", "late")).isEqualTo(State.IN_DOUBT);
    }
}
