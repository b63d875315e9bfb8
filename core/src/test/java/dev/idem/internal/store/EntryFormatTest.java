package dev.idem.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Doubt;
import dev.idem.spi.Effect;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import dev.idem.spi.browse.TrailLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden files are the format: an entry is written as they are, and they are read as that entry. */
class EntryFormatTest {
    private static final Address AT = new Address("shop", "charge", "order-1");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");
    private static final Moment CLAIMED = new Moment(NOON, "boot", 5_000_000_000L);
    private static final Moment LEASE = CLAIMED.plus(Duration.ofSeconds(30));
    private static final Moment SETTLED = CLAIMED.plus(Duration.ofSeconds(2));
    private static final Limit FIVE_MINUTES = new Limit(Duration.ofMinutes(5), null, false);
    private static final AttemptId ATTEMPT = new AttemptId(0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final ProcessRef PROCESS = new ProcessRef("boot/4026531836", 17, 4711);
    private static final Retention WEEK = Retention.DEFAULT;
    private static final byte[] RESULT = "{\"receipt\":1}".getBytes(StandardCharsets.UTF_8);

    private static Stored first() {
        return stored(State.IN_PROGRESS, null, null, null, Trail.FIRST);
    }

    private static Stored stored(
            State state, @Nullable Doubt doubt, @Nullable Instant settled, @Nullable Settlement how, Trail trail) {
        Tenure tenure = new Tenure(
                ATTEMPT,
                Owner.named("ann@web-1 pid 17"),
                settled == null ? LEASE : SETTLED,
                new Fence(7),
                FIVE_MINUTES.of(CLAIMED, null),
                false,
                List.of());
        Instant expires = how instanceof Settlement.Doubtful || settled == null
                ? null
                : settled.plus(Objects.requireNonNull(Drafts.retentionOf(how)).keep());
        Entry entry = new Entry(
                AT,
                state,
                new Fence(7),
                1,
                new Fingerprints("1d".repeat(32), null),
                null,
                Map.of("customer", "ann", "order", "1"),
                tenure,
                doubt,
                new Times(NOON, NOON, settled, expires),
                0,
                how);
        return new Stored(entry, FIVE_MINUTES, trail);
    }

    private static Stored ended(State state, Settlement how) {
        return stored(state, null, SETTLED.wall(), how, new Trail(List.of(), "granted", state.word()));
    }

    private static Stored everything() {
        Moment until = new Moment(NOON.plusSeconds(3600), "boot", 3_605_000_000_000L);
        Limit limit = new Limit(Duration.ofMillis(1500), until, false);
        Tenure tenure = new Tenure(
                ATTEMPT,
                new Owner("bob@web-2 pid 9", PROCESS),
                LEASE,
                new Fence(3),
                limit.of(CLAIMED, null),
                true,
                List.of(Mark.of("charging"), new Mark("started", PROCESS)));
        Entry entry = new Entry(
                AT,
                State.IN_PROGRESS,
                new Fence(7),
                2,
                new Fingerprints("1d".repeat(32), "c0".repeat(32)),
                new Address("shop", "checkout", "cart-1"),
                Map.of(),
                tenure,
                new Doubt("the lease of ann ran out \"somehow\"", NOON.minusSeconds(60)),
                new Times(NOON.minusSeconds(600), NOON, null, null),
                0,
                null);
        List<TrailLine> past = List.of(
                new TrailLine(NOON.minusSeconds(600), new Fence(3), "granted", "ann, attempt 1"),
                new TrailLine(NOON.minusSeconds(60), new Fence(3), "in_doubt", "the lease of ann ran out"));
        return new Stored(entry, limit, new Trail(past, "probing", null));
    }

    static Stream<Arguments> documents() {
        Payload json = Payload.of(RESULT, "application/json", "json");
        Payload packed = new Payload(RESULT, "text/plain", "text", Payload.GZIP);
        Failure failure = new Failure("java.io.IOException", "connection reset");
        ResolvedBy ann = new ResolvedBy("ann", "seen at the bank", "0b7f4c1e", "token ops-2");
        ResolvedBy bob = ResolvedBy.of("bob", null);
        Doubt doubt = new Doubt("the action ended with java.io.IOException", SETTLED.wall());
        return Stream.of(
                Arguments.of("first", first()),
                Arguments.of("everything", everything()),
                Arguments.of(
                        "complete",
                        ended(State.COMPLETE, new Settlement.Completed(new Result.Stored(json), Effect.CREATED, WEEK))),
                Arguments.of(
                        "complete-packed",
                        ended(
                                State.COMPLETE,
                                new Settlement.Completed(
                                        new Result.Stored(packed),
                                        Effect.UPDATED,
                                        new Retention(Duration.ofMillis(90_500), Duration.ofDays(1)),
                                        "resolved by ann: seen in the bank statement",
                                        null))),
                Arguments.of(
                        "complete-by-a-person",
                        stored(
                                State.COMPLETE,
                                null,
                                SETTLED.wall(),
                                new Settlement.Completed(new Result.Stored(json), Effect.CREATED, WEEK, ann),
                                new Trail(
                                        List.of(new TrailLine(
                                                NOON, new Fence(5), "resolved", "as failed, " + bob.told(), bob)),
                                        "granted",
                                        "resolved"))),
                Arguments.of(
                        "complete-without-result",
                        ended(
                                State.COMPLETE,
                                new Settlement.Completed(
                                        new Result.Unavailable("it is too large"), Effect.CREATED, WEEK))),
                Arguments.of("failed", ended(State.FAILED, new Settlement.Failed(failure, true, WEEK))),
                Arguments.of("not-executed", ended(State.FAILED, new Settlement.NotExecuted("no such charge", WEEK))),
                Arguments.of(
                        "in-doubt",
                        stored(
                                State.IN_DOUBT,
                                doubt,
                                SETTLED.wall(),
                                new Settlement.Doubtful(failure),
                                new Trail(List.of(), "granted", "in_doubt"))));
    }

    private static EntryStore.Row row(Stored stored, byte[] document) {
        Entry entry = stored.entry();
        return new EntryStore.Row(
                AT,
                99,
                entry.fence(),
                entry.state(),
                CLAIMED,
                LEASE,
                entry.times().settled() == null ? null : SETTLED,
                entry.times().expires(),
                entry.replays(),
                document,
                EntryFormat.body(entry));
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream file = EntryFormatTest.class.getResourceAsStream("documents/" + name + ".json")) {
            return Objects.requireNonNull(file, name).readAllBytes();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    void isWrittenAsInTheGoldenFile(String name, Stored stored) throws IOException {
        String document = new String(EntryFormat.document(stored, SETTLED), StandardCharsets.UTF_8);
        assertThat(document).isEqualTo(new String(golden(name), StandardCharsets.UTF_8).strip());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("documents")
    void isReadFromTheGoldenFile(String name, Stored stored) throws IOException {
        assertThat(EntryFormat.read(row(stored, golden(name)))).isEqualTo(stored);
    }

    @Test
    void anotherVersionAndWhatIsNoDocumentAreErrors() {
        for (String document :
                List.of("{\"v\":2}", "{}", "[]", "{", "", "{\"v\":1}", "{\"v\":1,\"attempt\":\"one\"}")) {
            byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> EntryFormat.read(row(first(), bytes)))
                    .as(document)
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("shop/charge/order-1");
        }
        assertThatThrownBy(() -> EntryFormat.read(row(first(), "{\"v\":2}".getBytes(StandardCharsets.UTF_8))))
                .hasMessageContaining("it is in format 2, this version of Idem reads format 1");
    }

    @Test
    void membersInAnotherOrderUnknownOnesAndNullsAreReadAsBefore() throws IOException {
        String document = new String(golden("first"), StandardCharsets.UTF_8).strip();
        String other = "{ \"time_limit\" : 300, \"later\" : [{\"a\":{}}, 1.5e3],"
                + document.substring(1, document.length() - 1).replace(",\"time_limit\":300", "")
                + ",\"note\":null,\"attempt\":1,\"began\":\"granted\"}\n";
        assertThat(read(first(), other)).isEqualTo(first());
    }

    @Test
    void aDocumentThatReadersWouldDisagreeOnIsAnError() throws IOException {
        String document = new String(golden("complete"), StandardCharsets.UTF_8).strip();
        String open = document.substring(0, document.length() - 1);
        Stored complete = ended(
                State.COMPLETE,
                new Settlement.Completed(
                        new Result.Stored(Payload.of(RESULT, "application/json", "json")), Effect.CREATED, WEEK));
        assertThat(read(complete, document)).isEqualTo(complete);
        for (String broken : List.of(
                open + ",\"owner\":\"bob\"}",
                open + ",\"later\":1,\"later\":1}",
                open + ",\"later\":{\"a\":1,\"a\":1}}",
                document + "}",
                open,
                open + ",}",
                open + ",\"later\":1e}",
                open + ",\"later\":\"\t\"}",
                "\uFEFF" + document,
                open.replace("\"keep\":604800", "\"keep\":\"604800\"") + "}",
                open.replace("\"media\":\"application/json\",", "") + "}",
                open.replace("\"ending\":\"completed\"", "\"ending\":\"done\"") + "}",
                open + ",\"past\":[[\"2026-03-01T12:00:00Z\",1,\"granted\"]]}",
                open + ",\"past\":{}}",
                open + ",\"v\":2}")) {
            assertThatThrownBy(() -> read(complete, broken))
                    .as(broken)
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageStartingWith("the entry shop/charge/order-1 can't be read: ");
        }
    }

    @Test
    void everyCutAndEveryChangedByteOfADocumentIsReadOrRefused() throws IOException {
        for (String name : List.of("complete", "everything", "in-doubt")) {
            byte[] golden = golden(name);
            Stored stored = name.equals("everything") ? everything() : first();
            for (int at = 0; at < golden.length - 1; at++) {
                readOrRefused(stored, Arrays.copyOf(golden, at));
                for (int flip : new int[] {1, 4, 32, 128}) {
                    byte[] changed = golden.clone();
                    changed[at] ^= (byte) flip;
                    readOrRefused(stored, changed);
                }
            }
        }
    }

    private static void readOrRefused(Stored stored, byte[] document) {
        try {
            EntryFormat.read(row(stored, document));
        } catch (LedgerUnreadableException e) {
            assertThat(e).hasMessageContaining("shop/charge/order-1");
        }
    }

    private static Stored read(Stored stored, String document) {
        return EntryFormat.read(row(stored, document.getBytes(StandardCharsets.UTF_8)));
    }
}
