package dev.idem.testkit.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Repeat;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A ledger returns all values unchanged. */
abstract class RoundTripContract extends LedgerCase {
    private static final Retention ODD_RETENTION = new Retention(
            Duration.ofDays(400).plusMillis(1), Duration.ofMinutes(7).plusMillis(3));

    private static Arguments result(String name, Result result) {
        return Arguments.argumentSet(name, result);
    }

    private static Arguments json(String name, String json) {
        return result(name, new Result.Stored(Settlements.json(json)));
    }

    private static Payload bytes(byte[] bytes) {
        return Payload.of(bytes, "application/octet-stream", "bytes");
    }

    static Stream<Arguments> results() {
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        byte[] large = new byte[1 << 20];
        new Random(7).nextBytes(large);
        return Stream.of(
                result("no bytes at all", new Result.Stored(bytes(new byte[0]))),
                result("one zero byte", new Result.Stored(bytes(new byte[1]))),
                result("every byte", new Result.Stored(bytes(everyByte))),
                result("a megabyte", new Result.Stored(bytes(large))),
                json("null", "null"),
                json("false", "false"),
                json("zero", "0"),
                json("an empty string", "\"\""),
                json("an empty object", "{}"),
                json("a quote and a backslash", "\"'\\\\\\\"; drop table entries; --\""),
                json("letters of many scripts", "\"žluťoučký 马 🐎 \u202e\u0000 end\""),
                json("half a megabyte of text", "\"" + "ž".repeat(1 << 18) + "\""),
                result("packed bytes", new Result.Stored(new Payload(everyByte, "text/plain; a=\"ž\"", "", "gzip"))),
                result("no media type", new Result.Stored(new Payload(everyByte, "", "codec/1", "identity"))),
                result("nothing to replay", new Result.Unavailable("too large: 12 MiB, at most 1 MiB 🐎")),
                result("nothing to replay, no reason", new Result.Unavailable("")));
    }

    @ParameterizedTest
    @MethodSource("results")
    void aResultComesBackAsItWas(Result result) {
        Settlement.Completed how = new Settlement.Completed(result, Effect.UPDATED, Settlements.DAY);
        ledger().settle(take(), how);
        assertThat(entry().settlement()).isEqualTo(how);
        assertThat(ledger().claim(request()).entry().settlement()).isEqualTo(how);
    }

    @ParameterizedTest
    @EnumSource(Effect.class)
    void anEffectComesBackAsItWas(Effect effect) {
        Settlement how = new Settlement.Completed(new Result.Stored(Settlements.json("1")), effect, ODD_RETENTION);
        ledger().settle(take(), how);
        assertThat(entry().settlement()).isEqualTo(how);
    }

    static Stream<Settlement> settlements() {
        Failure plain = new Failure("java.io.IOException", "it's \"broken\" 🐎\nsecond line\ttab");
        Failure bare = new Failure("", "");
        Failure longest = new Failure("x".repeat(300), "ž".repeat(4_000));
        return Stream.of(
                new Settlement.Failed(plain, false, ODD_RETENTION),
                new Settlement.Failed(bare, true, ODD_RETENTION),
                new Settlement.Failed(longest, true, Retention.DEFAULT),
                new Settlement.NotExecuted("asked the bank: 'no such charge' 🐎", ODD_RETENTION),
                new Settlement.NotExecuted("", ODD_RETENTION),
                new Settlement.Doubtful(plain),
                new Settlement.Doubtful(bare),
                new Settlement.Doubtful(longest));
    }

    @ParameterizedTest
    @MethodSource("settlements")
    void aSettlementComesBackAsItWas(Settlement how) {
        ledger().settle(take(), how);
        assertThatAllOf(entry().settlement()).isEqualTo(how);
    }

    static Stream<Settlement> halfPairs() {
        String half = "cut \uD83D";
        Payload odd = new Payload(new byte[] {1}, half, half, Payload.IDENTITY);
        return Stream.of(
                new Settlement.Completed(new Result.Unavailable(half), Effect.CREATED, ODD_RETENTION),
                new Settlement.Completed(new Result.Stored(odd), Effect.CREATED, ODD_RETENTION),
                new Settlement.Failed(new Failure(half, half), true, ODD_RETENTION),
                new Settlement.NotExecuted(half, ODD_RETENTION),
                new Settlement.Doubtful(new Failure(half, half)));
    }

    /** A lone surrogate can't be stored, but the settlement must be. */
    @ParameterizedTest
    @MethodSource("halfPairs")
    void aTextThatCanNotBeWrittenLosesNoSettlement(Settlement how) {
        assertThat(ledger().settle(take(), how)).isInstanceOf(Settled.Recorded.class);
        Entry entry = entry();
        assertThat(entry.settlement()).hasSameClassAs(how);
        if (entry.result() instanceof Result.Stored stored) {
            assertThat(stored.payload().bytes()).containsExactly(1);
        }
    }

    @Test
    void anOwnerWhoseNameOrLabelsCanNotBeWrittenMayClaim() {
        ClaimRequest request = ClaimRequest.of(nextAttempt(), KEY, IDENTITY, Owner.named("cut \uD83D"))
                .withLabels(Map.of("cut \uD83D", "cut \uD83D"));
        assertThat(granted(request).ticket()).isEqualTo(entry().ticket());
    }

    @Test
    void everyPartOfAClaimComesBackAsItWas() {
        ProcessRef process = new ProcessRef("boot/pid:[4026531836] 🐎", Long.MAX_VALUE, Long.MAX_VALUE - 1);
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("customer", "cus_1");
        labels.put("", "");
        labels.put("it's \"odd\" %_\\", "žluťoučký 🐎\nline");
        ClaimRequest request = new ClaimRequest(
                nextAttempt(),
                KEY,
                IDENTITY,
                KEY.withOperation("check out/'now'"),
                labels,
                new Owner("host 'ž' 🐎", process),
                LEASE,
                LIMIT,
                true,
                TakeOver.NONE,
                Duration.ZERO,
                Repeat.REPLAY);
        Entry granted = granted(request);
        Entry found = entry();
        assertThatAllOf(found).isEqualTo(granted);
        assertThat(found.address()).isEqualTo(KEY);
        assertThat(found.fingerprints()).isEqualTo(IDENTITY);
        assertThat(found.parent()).isEqualTo(request.parent());
        assertThat(found.labels()).isEqualTo(labels);
        assertThat(found.tenure().owner()).isEqualTo(request.owner());
        assertThat(found.tenure().attemptId()).isEqualTo(request.attemptId());
        assertThat(found.tenure().staged()).isTrue();
        assertThat(found.tenure().acted()).isEqualTo(found.fence());
    }

    @Test
    void timesAreThoseOfTheClock() {
        Moment now = clocks().now();
        Entry entry = granted(request());
        assertThat(entry.times().created()).isEqualTo(now.wall());
        assertThat(entry.times().claimed()).isEqualTo(now.wall());
        assertThat(entry.tenure().lease()).isEqualTo(now.plus(LEASE));
        assertThat(entry.tenure().limit()).isEqualTo(now.plus(LIMIT));
    }

    static List<Fingerprints> fingerprints() {
        return List.of(
                Fingerprints.NONE,
                new Fingerprints("ab".repeat(32), null),
                new Fingerprints(null, "cd".repeat(32)),
                new Fingerprints("ab".repeat(32), "cd".repeat(32)));
    }

    @ParameterizedTest
    @MethodSource("fingerprints")
    void fingerprintsComeBackAsTheyWere(Fingerprints fingerprints) {
        granted(request(fingerprints));
        assertThat(entry().fingerprints()).isEqualTo(fingerprints);
    }

    @Test
    void marksComeBackInTheirOrder() {
        List<Mark> marks = List.of(
                Mark.of("first"),
                new Mark("it's \"second\" 🐎", new ProcessRef("host/ž", 7, -7)),
                Mark.of("first"),
                Mark.of("x".repeat(255)));
        Ticket ticket = granted(request().withStaged(true)).ticket();
        marks.forEach(mark -> assertThat(ledger().mark(ticket, mark)).isTrue());
        assertThat(entry().tenure().marks()).isEqualTo(marks);
        ledger().settle(ticket, Settlements.completed("1"));
        assertThat(entry().tenure().marks()).isEqualTo(marks);
    }

    @Test
    void doubtComesBackAsItWas() {
        Ticket ticket = take();
        Entry recorded = answer(Settled.Recorded.class, ledger().settle(ticket, Settlements.doubtful()))
                .entry();
        assertThat(recorded.doubt()).isNotNull();
        pass(Duration.ofDays(2));
        assertThatAllOf(entry()).isEqualTo(recorded);
    }

    @Test
    void extremeAttemptIdsComeBackAsTheyWere() {
        for (var id :
                List.of(new AttemptId(0, 0), new AttemptId(-1, -1), new AttemptId(Long.MIN_VALUE, Long.MAX_VALUE))) {
            ClaimRequest request = request(KEY.withOperation("id " + id)).withAttemptId(id);
            granted(request);
            assertThat(entry(request.address()).tenure().attemptId()).isEqualTo(id);
            granted(request);
        }
    }

    @Test
    void aResultIsNotMixedUpWithAnothers() {
        for (int i = 0; i < 20; i++) {
            ledger().settle(take(KEY.withOperation("op-" + i)), Settlements.completed("\"result " + i + "\""));
        }
        for (int i = 0; i < 20; i++) {
            Entry entry = entry(KEY.withOperation("op-" + i));
            byte[] bytes =
                    ((Result.Stored) requireNonNull(entry.result())).payload().bytes();
            assertThat(Arrays.equals(bytes, ("\"result " + i + "\"").getBytes(StandardCharsets.UTF_8)))
                    .as("result %d", i)
                    .isTrue();
        }
    }
}
