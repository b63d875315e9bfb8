package dev.idem.http;

import static dev.idem.http.suite.Sent.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.IdemException;
import dev.idem.Json;
import dev.idem.Listener;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.http.suite.Sent;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Result;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Race;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rules that need time, threads, or a ledger that fails. The table of the suite has the others. */
class HttpGuardTest {
    private static final Sent ORDER = post("/orders").key("\"k-1\"").json("{\"item\":\"tea\"}");
    private static final Response CREATED = Response.of(201).body("application/json", "{\"order\":1}");

    private final SettableClocks clocks = new SettableClocks();
    private final SettableProcesses processes = new SettableProcesses();
    private final MemoryLedger memory = new MemoryLedger(new LedgerContext(clocks, processes));
    private final FaultyLedger ledger = new FaultyLedger(memory);
    private final Idem idem = open(ledger);
    private final AtomicInteger runs = new AtomicInteger();

    private Idem open(FaultyLedger behind) {
        return Idem.builder()
                .ledger(behind)
                .owner(processes.startOwner())
                .quiet()
                .settleFor(Duration.ofMillis(50))
                .closeWait(Duration.ZERO)
                .open();
    }

    @AfterEach
    void close() {
        idem.close();
    }

    private HttpGuard guard(HttpRules rules) {
        return new HttpGuard(idem, rules, new LedgerClock());
    }

    private Response send(HttpGuard guard, Sent sent, Handler handler) {
        Reply reply = guard.handle(new GuardSurface.Arrived(sent), call -> {
                    runs.incrementAndGet();
                    return handler.handle(call);
                })
                .join();
        return ((Reply.Send) reply).response();
    }

    private static <T> CompletableFuture<T> inAThread(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task, "client").start());
    }

    private static Handler answering(Response response) {
        return call -> CompletableFuture.completedFuture(response);
    }

    /** The clock of the server, in step with the ledger's. */
    private final class LedgerClock extends Clock {
        @Override
        public Instant instant() {
            return clocks.now().wall();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private static String header(Response response, String name) {
        List<String> lines = response.headers().get(name);
        return lines == null ? null : String.join(", ", lines);
    }

    private static String type(Response response) {
        Map<?, ?> problem = (Map<?, ?>) Json.parse(response.body());
        return ((String) problem.get("type")).replace("urn:idem:problem:", "");
    }

    private Entry entry() {
        return memory.as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .get(0);
    }

    @Test
    void aReplayTellsItsAgeAndItsEnd() {
        HttpGuard guard = guard(HttpRules.ietf().policy(Policy.write().retention(Duration.ofDays(2))));
        Response first = send(guard, ORDER, answering(CREATED));
        clocks.advance(Duration.ofSeconds(90));
        Response replay = send(guard, ORDER, answering(CREATED));

        assertThat(header(first, "Idempotency-Expires")).isEqualTo("Tue, 03 Mar 2026 12:00:00 GMT");
        assertThat(header(replay, "Idempotency-Expires")).isEqualTo("Tue, 03 Mar 2026 12:00:00 GMT");
        assertThat(header(replay, "Age")).isEqualTo("90");
        assertThat(header(replay, "Date")).isEqualTo("Sun, 01 Mar 2026 12:01:30 GMT");
        assertThat(runs).hasValue(1);
    }

    @Test
    void anExpiredKeyIsANewRequest() {
        HttpGuard guard = guard(HttpRules.ietf().policy(Policy.write().retention(Duration.ofDays(1))));
        send(guard, ORDER, answering(CREATED));
        clocks.advance(Duration.ofDays(2));
        Response again = send(guard, ORDER, answering(Response.of(202)));

        assertThat(again.status()).isEqualTo(202);
        assertThat(runs).hasValue(2);
    }

    @Test
    void anExpiredKeyWithATombstoneIsGone() {
        Policy policy = Policy.write().retention(Duration.ofDays(1)).tombstone(Duration.ofDays(30));
        HttpGuard guard = guard(HttpRules.ietf().policy(policy));
        send(guard, ORDER, answering(CREATED));
        clocks.advance(Duration.ofDays(2));
        Response again = send(guard, ORDER, answering(CREATED));

        assertThat(again.status()).isEqualTo(410);
        assertThat(type(again)).isEqualTo("expired");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aDuplicateWaitsTenSecondsByDefaultAndSixtyFourMayWait() {
        assertThat(HttpRules.ietf().policy().waitFor()).isEqualTo(Duration.ofSeconds(10));
        assertThat(guard(HttpRules.ietf()).freeWaiters()).isEqualTo(64);
    }

    @Test
    void fiftyAtOnceAreOneRunAndFiftyEqualAnswers() {
        HttpGuard guard = guard(HttpRules.ietf());
        List<Response> answers = Race.of(50, () -> send(guard, ORDER, answering(CREATED)));

        assertThat(runs).hasValue(1);
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.body()).isEqualTo(CREATED.body());
        });
        assertThat(answers.stream().filter(answer -> header(answer, "Idempotent-Replayed") != null))
                .hasSize(49);
        assertThat(guard.freeWaiters()).isEqualTo(64);
    }

    @Test
    void whenTooManyWaitOnlyNewRequestsAreServed() {
        HttpGuard guard =
                guard(HttpRules.ietf().waiters(2).policy(Policy.write().waitFor(Duration.ofMinutes(1))));
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Response> first = inAThread(() -> send(guard, ORDER, call -> {
            gate.await();
            return CompletableFuture.completedFuture(CREATED);
        }));
        Until.isTrue("the first runs", () -> runs.get() == 1);
        CompletableFuture<List<Response>> waiters =
                inAThread(() -> Race.of(2, () -> send(guard, ORDER, answering(CREATED))));
        Until.isTrue("two wait", () -> guard.freeWaiters() == 0);

        Response refused = send(guard, ORDER, answering(CREATED));
        Response other = send(guard, post("/orders").key("k-2"), answering(Response.of(204)));
        gate.countDown();

        assertThat(type(refused)).isEqualTo("in-flight");
        assertThat(header(refused, "Retry-After")).isEqualTo("1");
        assertThat(other.status()).isEqualTo(204);
        assertThat(first.join().status()).isEqualTo(201);
        assertThat(waiters.join())
                .allSatisfy(
                        each -> assertThat(header(each, "Idempotent-Replayed")).isEqualTo("true"));
        assertThat(runs).hasValue(2);
        assertThat(guard.freeWaiters()).isEqualTo(2);
    }

    @Test
    void aDuplicateThatHasWaitedLongEnoughIsRefused() {
        HttpGuard guard = guard(HttpRules.ietf().policy(Policy.write().waitFor(Duration.ofMillis(20))));
        Response[] duplicate = {null};
        send(guard, ORDER, call -> {
            duplicate[0] =
                    inAThread(() -> send(guard, ORDER, answering(CREATED))).join();
            return CompletableFuture.completedFuture(CREATED);
        });

        assertThat(type(duplicate[0])).isEqualTo("in-flight");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aDuplicateWhoseThreadIsInterruptedIsRefused() {
        HttpGuard guard = guard(HttpRules.ietf());
        Response[] duplicate = {null};
        boolean[] stillInterrupted = {false};
        send(guard, ORDER, call -> {
            duplicate[0] = inAThread(() -> {
                        Thread.currentThread().interrupt();
                        Response answer = send(guard, ORDER, answering(CREATED));
                        stillInterrupted[0] = Thread.interrupted();
                        return answer;
                    })
                    .join();
            return CompletableFuture.completedFuture(CREATED);
        });

        assertThat(type(duplicate[0])).isEqualTo("in-flight");
        assertThat(stillInterrupted[0]).isTrue();
        assertThat(runs).hasValue(1);
    }

    /** A server without a thread for each request must not be blocked by a slow handler. */
    @Test
    void aHandlerMayAnswerLater() {
        HttpGuard guard = guard(HttpRules.ietf().policy(Policy.write().waitFor(Duration.ZERO)));
        CompletableFuture<Response> later = new CompletableFuture<>();
        CompletableFuture<Reply> reply = guard.handle(new GuardSurface.Arrived(ORDER), call -> later);
        Response meanwhile = send(guard, ORDER, answering(CREATED));
        boolean early = reply.isDone();
        later.complete(CREATED);

        assertThat(early).isFalse();
        assertThat(type(meanwhile)).isEqualTo("in-flight");
        assertThat(((Reply.Send) reply.join()).origin()).isEqualTo(Reply.Origin.HANDLER);
        assertThat(header(send(guard, ORDER, answering(CREATED)), "Idempotent-Replayed"))
                .isEqualTo("true");
        assertThat(runs).hasValue(0);
    }

    /** A running handler is no waiter: else 64 slow requests would keep all duplicates from waiting. */
    @Test
    void aRunningHandlerTakesNoPlaceOfAWaiter() {
        HttpGuard guard = guard(HttpRules.ietf().waiters(1));
        int[] free = {-1};
        send(guard, ORDER, call -> {
            free[0] = guard.freeWaiters();
            return CompletableFuture.completedFuture(CREATED);
        });

        assertThat(free[0]).isEqualTo(1);
    }

    /** One failure must not be followed by a run of each duplicate that has waited for it. */
    @Test
    void aDuplicateThatHasWaitedForNothingIsToldToTryAgain() {
        HttpRules rules = HttpRules.ietf().releasedOn(503);
        FaultyLedger elsewhere = new FaultyLedger(memory);
        try (Idem process = open(elsewhere)) {
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<Response> first = inAThread(() -> send(guard(rules), ORDER, call -> {
                gate.await();
                return CompletableFuture.completedFuture(Response.of(503));
            }));
            Until.isTrue("the first runs", () -> runs.get() == 1);
            CompletableFuture<Response> duplicate =
                    inAThread(() -> send(new HttpGuard(process, rules), ORDER, answering(CREATED)));
            Until.isTrue("the duplicate waits", () -> elsewhere.passed(FaultyLedger.Point.AFTER_CLAIM) == 1);
            gate.countDown();

            assertThat(first.join().status()).isEqualTo(503);
            assertThat(type(duplicate.join())).isEqualTo("not-executed");
            assertThat(duplicate.join().status()).isEqualTo(503);
            assertThat(header(duplicate.join(), "Retry-After")).isEqualTo("1");
        }
        assertThat(send(guard(rules), ORDER, answering(CREATED)).status()).isEqualTo(201);
    }

    @Test
    void aResponseGoesOutEvenIfItCouldNotBeRecorded() {
        HttpGuard guard = guard(HttpRules.ietf());
        Response response = send(guard, ORDER, call -> {
            ledger.down();
            return CompletableFuture.completedFuture(CREATED);
        });

        assertThat(response.status()).isEqualTo(201);
        assertThat(response.body()).isEqualTo(CREATED.body());
        assertThat(header(response, "Idempotent-Recorded")).isEqualTo("false");
        assertThat(header(response, "Idempotency-Expires")).isNull();
    }

    @Test
    void aDoubtfulResponseGoesOutEvenIfItCouldNotBeRecorded() {
        HttpGuard guard = guard(HttpRules.ietf());
        Response response = send(guard, ORDER, call -> {
            ledger.down();
            return CompletableFuture.completedFuture(Response.of(503).body("text/plain", "busy"));
        });

        assertThat(response.status()).isEqualTo(503);
        assertThat(new String(response.body(), StandardCharsets.UTF_8)).isEqualTo("busy");
        assertThat(header(response, "Idempotent-Recorded")).isEqualTo("false");
    }

    @Test
    void nothingRunsWhileTheLedgerIsDown() {
        HttpGuard guard = guard(HttpRules.ietf());
        ledger.down();
        Response refused = send(guard, ORDER, answering(CREATED));
        ledger.up();

        assertThat(refused.status()).isEqualTo(503);
        assertThat(type(refused)).isEqualTo("ledger-unavailable");
        assertThat(header(refused, "Retry-After")).isEqualTo("5");
        assertThat(runs).hasValue(0);
        assertThat(send(guard, ORDER, answering(CREATED)).status()).isEqualTo(201);
    }

    @Test
    void aCrashDuringTheHandlerIsADoubtThatAPersonResolvesWithAResponse() {
        FaultyLedger dying = new FaultyLedger(memory);
        try (Idem process = open(dying)) {
            HttpGuard guard = new HttpGuard(process, HttpRules.ietf());
            assertThat(catchThrowable(() -> send(guard, ORDER, call -> {
                        dying.halt("in the handler");
                        return CompletableFuture.completedFuture(CREATED);
                    })))
                    .isNotNull();
        }
        clocks.advance(Duration.ofHours(1));
        HttpGuard guard = guard(HttpRules.ietf());
        Response doubt = send(guard, ORDER, answering(CREATED));
        idem.resolve(entry()).by("ann").asComplete(StoredResponse.text(201, "text/plain", "order 7"));
        Response replay = send(guard, ORDER, answering(CREATED));

        assertThat(type(doubt)).isEqualTo("in-doubt");
        assertThat(header(doubt, "Retry-After")).isNull();
        assertThat(replay.status()).isEqualTo(201);
        assertThat(new String(replay.body(), StandardCharsets.UTF_8)).isEqualTo("order 7");
        assertThat(header(replay, "Content-Type")).isEqualTo("text/plain");
        assertThat(header(replay, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aPersonMayLeaveOutHeadersAndBody() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(guard, ORDER, answering(Response.of(500)));
        idem.resolve(entry()).asComplete(Map.of("version", 1, "status", 204, "encoding", "text"));

        assertThat(send(guard, ORDER, answering(CREATED)).status()).isEqualTo(204);
    }

    @Test
    void aResultThatIsNoResponseIsNotSent() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(guard, ORDER, answering(Response.of(500)));
        idem.resolve(entry()).asComplete(Map.of("version", 2, "status", 204, "encoding", "text"));

        assertThat(type(send(guard, ORDER, answering(CREATED)))).isEqualTo("result-not-kept");
        assertThat(runs).hasValue(1);
    }

    /** It was told as too large or streamed, or made every duplicate fail. */
    @Test
    void aStoredResponseThatIsDamagedIsToldAsDamaged() {
        HttpGuard guard = guard(HttpRules.ietf());
        int key = 0;
        for (Map<String, Object> damaged : List.<Map<String, Object>>of(
                Map.of("version", 2, "status", 204, "encoding", "text"),
                Map.of("version", 1, "status", 200, "encoding", "base64", "body", "%%%"),
                Map.of("version", 1, "status", 9999, "encoding", "text", "body", "tea"))) {
            Sent order = post("/orders").key("damaged-" + ++key);
            send(guard, order, answering(Response.of(500)));
            idem.resolve(idem.find(new Address("http:ann", "POST /orders", "damaged-" + key))
                            .orElseThrow())
                    .asComplete(damaged);

            Response refused = send(guard, order, answering(CREATED));

            assertThat(type(refused)).isEqualTo("result-not-kept");
            assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                    .contains("damaged")
                    .doesNotContain("too large", "no response");
        }
        assertThat(runs).hasValue(key);
    }

    @Test
    void aPlainResultOfAPersonIsTheBodyOfTheResponse() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(guard, ORDER, answering(Response.of(500)));
        idem.resolve(entry()).by("ann").asComplete(Map.of("status", "complete", "result", "flight LH 400"));
        Response replay = send(guard, ORDER, answering(CREATED));

        assertThat(replay.status()).isEqualTo(200);
        assertThat(header(replay, "Content-Type")).isEqualTo("application/json");
        assertThat(Json.parse(replay.body())).isEqualTo(Map.of("status", "complete", "result", "flight LH 400"));
        assertThat(header(replay, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(header(replay, "Idempotency-Expires")).isNotNull();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aLongOrEmptyResultOfAPersonIsTheBodyToo() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(guard, ORDER, answering(Response.of(500)));
        idem.resolve(entry()).asComplete(List.of("x".repeat(100_000)));
        Response compressed = send(guard, ORDER, answering(CREATED));
        Sent other = post("/others").key("k-2");
        send(guard, other, answering(Response.of(500)));
        idem.resolve(entry()).asComplete(null);
        Response empty = send(guard, other, answering(CREATED));

        assertThat(Json.parse(compressed.body())).isEqualTo(List.of("x".repeat(100_000)));
        assertThat(empty.status()).isEqualTo(200);
        assertThat(new String(empty.body(), StandardCharsets.UTF_8)).isEqualTo("null");
        assertThat(runs).hasValue(2);
    }

    @Test
    void aRequestThatAPersonCompletedWithoutAResultSaysSo() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(guard, ORDER, answering(Response.of(500)));
        idem.resolve(entry()).by("ann").because("see ticket 7").asCompleteWithoutResult();
        Response refused = send(guard, ORDER, answering(CREATED));

        assertThat(type(refused)).isEqualTo("result-not-kept");
        assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                .contains("A person found that out and recorded no response")
                .doesNotContain("too large", "ann", "ticket");
        assertThat(runs).hasValue(1);
    }

    @Test
    void aStepThatIsRefusedIsADoubtOfTheRequestAndTheClientIsTold() {
        HttpGuard guard = guard(HttpRules.ietf());
        idem.operation("order").id("o-1").identity(Map.of("cents", 1)).run(call -> "first");
        Response refused = send(guard, ORDER, call -> {
            idem.operation("order").id("o-1").identity(Map.of("cents", 2)).run(step -> "second");
            return CompletableFuture.completedFuture(CREATED);
        });
        Response again = send(guard, ORDER, answering(CREATED));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(type(refused)).isEqualTo("in-doubt");
        assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("A step of this request was refused");
        assertThat(type(again)).isEqualTo("in-doubt");
        assertThat(runs).hasValue(1);
    }

    @Test
    void theFirstRequestWithoutACallerIsLoggedWithTheRemedy() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger("dev.idem.http");
        java.util.logging.Handler handler = new java.util.logging.Handler() {
            @Override
            public void publish(LogRecord line) {
                logged.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            HttpGuard guard = guard(HttpRules.ietf());
            send(guard, ORDER.by(""), answering(CREATED));
            send(guard, ORDER.by(""), answering(CREATED));
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged)
                .filteredOn(line -> line.contains("got 401"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("idem.http.principal-required=false"));
    }

    @Test
    void theDoubtOfARequestNamesNothingThatAHandlerCanNotDeclare() {
        List<IdemException> told = new ArrayList<>();
        try (Idem other = Idem.builder()
                .ledger(ledger)
                .quiet()
                .listener(new Listener() {
                    @Override
                    public void refused(IdemException why) {
                        told.add(why);
                    }
                })
                .open()) {
            HttpGuard guard = new HttpGuard(other, HttpRules.ietf());
            send(guard, ORDER, answering(Response.of(500)));
            send(guard, ORDER, answering(CREATED));
        }

        assertThat(told)
                .singleElement()
                .satisfies(doubt -> assertThat(doubt.getMessage())
                        .contains(".asComplete(value)")
                        .doesNotContain("probe", "passesKeyTo", "rerunOnDoubt"));
    }

    @Test
    void anExceptionOfTheHandlerReachesTheAdapterUnchanged() {
        HttpGuard guard = guard(HttpRules.ietf());
        IOException lost = new IOException("lost");
        CompletableFuture<Reply> thrown = guard.handle(new GuardSurface.Arrived(ORDER), call -> {
            throw lost;
        });
        CompletableFuture<Reply> failed = guard.handle(
                new GuardSurface.Arrived(post("/orders").key("k-2")), call -> CompletableFuture.failedFuture(lost));

        assertThatThrownBy(thrown::join).isInstanceOf(CompletionException.class).hasCause(lost);
        assertThatThrownBy(failed::join).isInstanceOf(CompletionException.class).hasCause(lost);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /** The client went away during its upload: the key is untouched. */
    @Test
    void aBodyThatCanNotBeReadClaimsNothing() {
        Request cut = new GuardSurface.Arrived(ORDER, () -> {
            throw new IOException("connection reset");
        });
        assertThatThrownBy(() ->
                        guard(HttpRules.ietf()).handle(cut, answering(CREATED)).join())
                .hasRootCauseMessage("connection reset");
        assertThat(ledger.passed(FaultyLedger.Point.BEFORE_CLAIM)).isZero();
    }

    @Test
    void aReadableFormIsStored() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(guard, ORDER, answering(CREATED.header("Set-Cookie", "a=b")));

        Result.Stored stored = (Result.Stored) entry().result();
        assertThat(new String(stored.payload().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"version\":1,\"status\":201,\"headers\":{\"Content-Type\":[\"application/json\"]},"
                        + "\"encoding\":\"text\",\"body\":\"{\\\"order\\\":1}\"}");
    }

    @Test
    void anEntryIsFoundByCallerRouteAndKey() {
        send(guard(HttpRules.ietf()), post("/orders/7/refunds?token=s3cret").key("k"), answering(CREATED));

        assertThat(entry().address()).hasToString("http:ann/POST /orders/{id}/refunds/k");
        assertThat(entry().labels()).containsExactly(Map.entry("path", "/orders/7/refunds"));
    }

    @Test
    void everyCallerHasAScopeOfItsOwnWhateverItsName() {
        String plain = "ann";
        String longer = "a".repeat(300);
        String control = "ann\n";
        String half = "ann\ud800";
        String otherHalf = "ann\ud801";
        String digest = AddressNames.scope(List.of(longer)).substring("http:".length());
        List<String> callers = List.of("", plain, longer, longer + "a", control, half, otherHalf, digest);

        assertThat(callers.stream().map(caller -> AddressNames.scope(List.of(caller))))
                .doesNotHaveDuplicates();
        HttpGuard guard = guard(HttpRules.ietf().principalRequired(false));
        for (String caller : callers) {
            assertThat(send(guard, ORDER.by(caller), answering(CREATED)).status())
                    .isEqualTo(201);
        }
        assertThat(runs).hasValue(callers.size());
    }

    @Test
    void aCallerOfSeveralPartsNeverHasTheScopeOfAnother() {
        String longer = "a".repeat(300);
        List<List<String>> callers = List.of(
                List.of("acme", "ann"),
                List.of("ann", "acme"),
                List.of("acme/ann"),
                List.of("//acme/ann"),
                List.of("acme", ""),
                List.of("", "acme"),
                List.of("acme", "ann", ""),
                List.of("acme/ann", ""),
                List.of("acme%2Fann", ""),
                List.of("acme", "/ann"),
                List.of("acme/", "ann"),
                List.of(longer, "ann"),
                List.of(longer + "/ann"),
                List.of("//" + longer + "/ann"));

        assertThat(callers.stream().map(AddressNames::scope)).doesNotHaveDuplicates();
        assertThat(AddressNames.scope(List.of("acme", "ann"))).isEqualTo("http://acme/ann");
    }

    @Test
    void aCallerWithoutItsTenantIsToldSoAndNotToLogIn() {
        HttpGuard guard = guard(HttpRules.ietf().caller(request -> null));

        Response refused = send(guard, ORDER, answering(CREATED));

        assertThat(type(refused)).isEqualTo("principal-missing");
        assertThat(new String(refused.body(), StandardCharsets.UTF_8)).contains("tenant");
        assertThat(runs).hasValue(0);
        HttpGuard shared = guard(HttpRules.ietf().caller(request -> null).principalRequired(false));
        assertThat(send(shared, ORDER, answering(CREATED)).status()).isEqualTo(201);
        assertThat(entry().address().scope()).isEqualTo("http:///ann");
    }

    /** Two callers whose names are blank would be one. */
    @Test
    void aCallerOrTenantThatIsBlankIsNone() {
        for (String blank : List.of("", " ", "\t", "\u2003")) {
            Response refused = send(guard(HttpRules.ietf().caller(request -> blank)), ORDER, answering(CREATED));

            assertThat(type(refused)).as("'%s'", blank).isEqualTo("principal-missing");
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void aProblemTellsNothingSecret() {
        HttpGuard guard = guard(HttpRules.ietf());
        send(
                guard,
                post("/orders?token=s3cret").key("k-secret"),
                answering(Response.of(500).body("text/plain", "hidden")));
        Response doubt = send(guard, post("/orders?token=s3cret").key("k-secret"), answering(CREATED));

        assertThat(type(doubt)).isEqualTo("in-doubt");
        assertThat(new String(doubt.body(), StandardCharsets.UTF_8))
                .doesNotContain("s3cret", "k-secret", "ann", "hidden")
                .contains("send the same request with the same key");
    }
}
