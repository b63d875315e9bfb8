package dev.idem.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.Effect;
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
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import dev.idem.spi.browse.TrailLine;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordJsonTest {
    private static final Address ADDRESS = new Address("acme/🐎", "charge it's", "k-1");
    private static final Instant TIME = Instant.parse("2026-11-18T09:14:02.000000001Z");
    private static final Retention ODD =
            new Retention(Duration.ofNanos(1), Duration.ofDays(400).plusNanos(7));

    private static Entry entry(@Nullable Settlement how) {
        Tenure tenure = new Tenure(
                new AttemptId(-1, Long.MIN_VALUE),
                new Owner("ann", new ProcessRef("boot/1", Long.MAX_VALUE, -7)),
                new Moment(TIME, "boot/2", Long.MIN_VALUE),
                new Fence(3),
                Moment.ofWall(TIME),
                true,
                List.of(Mark.of("first"), new Mark("second", new ProcessRef("h", 1, 2))));
        return new Entry(
                ADDRESS,
                State.IN_DOUBT,
                new Fence(Long.MAX_VALUE),
                Integer.MAX_VALUE,
                new Fingerprints("1d", null),
                ADDRESS.withOperation("outer"),
                Map.of("", "", "a \"b\"", "\n"),
                tenure,
                new Doubt("it lapsed", TIME),
                new Times(TIME, TIME.minusNanos(1), TIME, null),
                1L << 60,
                how);
    }

    static Stream<Record> records() {
        Failure failure = new Failure("java.io.IOException", "");
        Result stored = new Result.Stored(new Payload(new byte[] {0, -1, 127}, "", "json", "gzip"));
        ClaimRequest request = ClaimRequest.of(new AttemptId(0, 0), ADDRESS, Fingerprints.NONE, Owner.named("x"));
        Entry bare = entry(null);
        return Stream.of(
                request,
                request.withParent(ADDRESS)
                        .withStaged(true)
                        .withTakeOver(TakeOver.PROBE)
                        .withRepeat(Repeat.RUN),
                bare,
                entry(new Settlement.Completed(stored, Effect.WOULD_DELETE, ODD, "resolved by ann", null)),
                entry(new Settlement.Completed(stored, Effect.CREATED, ODD, new ResolvedBy("a", "b", "c", "d"))),
                entry(new Settlement.NotExecuted(ResolvedBy.UNKNOWN, ODD)),
                entry(new Settlement.Completed(new Result.Unavailable(""), Effect.NOOP, ODD)),
                entry(new Settlement.Failed(failure, true, ODD)),
                entry(new Settlement.NotExecuted("asked", ODD)),
                entry(new Settlement.Doubtful(failure, true)),
                new Claim.Granted(bare),
                new Claim.Replay(bare),
                new Claim.ReplayedFailure(bare),
                new Claim.InFlight(bare, Duration.ofNanos(-1)),
                new Claim.Conflict(bare),
                new Claim.InDoubt(bare, new Doubt("why", TIME), Duration.ZERO, Duration.ofDays(9)),
                new Claim.Expired(bare),
                new Settled.Recorded(bare),
                new Settled.Already(bare),
                new Settled.Stale(null),
                Query.all(),
                new Query(
                        Set.of(State.EXPIRED, State.FAILED),
                        List.of(Match.prefix("a/"), Match.exactly("")),
                        "o",
                        Match.prefix("k"),
                        Map.of("l", "v"),
                        Duration.ZERO,
                        Duration.ofNanos(1),
                        true,
                        "17",
                        1000),
                new Page(List.of(bare), "16", List.of(new Page.Unreadable(ADDRESS, "later version"))),
                new Stats(Map.of(State.COMPLETE, 4L), 9),
                new TrailLine(TIME, new Fence(1), "granted", "ann"),
                new TrailLine(TIME, new Fence(1), "resolved", "as failed", ResolvedBy.of("ann", null)));
    }

    @ParameterizedTest
    @MethodSource("records")
    void aRecordComesBackAsItWas(Record record) {
        String json = Json.writePlain(RecordJson.write(record));
        Class<?> type = record.getClass();
        for (Class<?> as : type.getInterfaces().length == 0 ? new Class<?>[] {type} : type.getInterfaces()) {
            assertThat((Object) RecordJson.readStrictly(Json.parse(json), as)).isEqualTo(record);
        }
    }

    /** Their annotations are not there at run time, so the optional components are a list. */
    @Test
    void exactlyTheNullableComponentsMayBeMissing() {
        Set<String> nullable = new TreeSet<>();
        Set<String> optional = new TreeSet<>();
        Set<Type> seen = new HashSet<>();
        records().map(Object::getClass).forEach(type -> collect(type, seen, nullable, optional));
        assertThat(optional).isEqualTo(nullable).hasSizeGreaterThan(10);
    }

    private static void collect(Type type, Set<Type> seen, Set<String> nullable, Set<String> optional) {
        if (type instanceof ParameterizedType generic) {
            for (Type each : generic.getActualTypeArguments()) {
                collect(each, seen, nullable, optional);
            }
        } else if (type instanceof Class<?> known && seen.add(known)) {
            for (Class<?> each : known.isSealed() ? known.getPermittedSubclasses() : new Class<?>[0]) {
                collect(each, seen, nullable, optional);
            }
            RecordComponent[] all = known.isRecord() ? known.getRecordComponents() : new RecordComponent[0];
            for (int i = 0; i < all.length; i++) {
                String name = known.getSimpleName() + "." + all[i].getName();
                if (all[i].getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    nullable.add(name);
                }
                if (RecordParts.of(known).isOptional(i)) {
                    optional.add(name);
                }
                collect(all[i].getGenericType(), seen, nullable, optional);
            }
        }
    }

    @Test
    void halfASurrogatePairLosesNothingElse() {
        ClaimRequest cut = ClaimRequest.of(new AttemptId(0, 0), ADDRESS, Fingerprints.NONE, Owner.named("cut \uD83D"))
                .withLabels(Map.of("cut \uD83D", "1", "cut \uD83E", "2"));
        byte[] utf8 = Json.writePlain(RecordJson.write(cut)).getBytes(StandardCharsets.UTF_8);
        ClaimRequest read = RecordJson.read(Json.parse(utf8), ClaimRequest.class);
        assertThat(read.owner().name()).isEqualTo("cut ?");
        assertThat(read.labels()).containsOnlyKeys("cut ?");
    }

    @Test
    void whatIsMissingOrOfAnotherFormIsRefusedByName() {
        Map<String, @Nullable Object> owner = RecordJson.write(Owner.named("ann"));
        owner.remove("name");
        assertThatThrownBy(() -> RecordJson.read(owner, Owner.class)).hasMessage("'name' of the owner is missing");
        owner.put("name", 7L);
        assertThatThrownBy(() -> RecordJson.read(owner, Owner.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in 'name'");
        assertThatThrownBy(() -> RecordJson.read(null, Owner.class)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecordJson.read(Map.of("kind", "granted"), Settled.class))
                .hasMessageContaining("'granted' is no settled");
        assertThatThrownBy(() -> RecordJson.read(Map.of("scope", "", "operation", "o", "key", "k"), Address.class))
                .hasMessageContaining("scope");
    }

    @Test
    void onlyAnAnswerMayHaveUnknownMembers() {
        Map<String, @Nullable Object> owner = RecordJson.write(Owner.named("ann"));
        owner.put("only_on_mondays", true);
        assertThat(RecordJson.read(owner, Owner.class)).isEqualTo(Owner.named("ann"));
        assertThatThrownBy(() -> RecordJson.readStrictly(owner, Owner.class))
                .hasMessage("'only_on_mondays' of the owner is not known here");
        owner.put("only_on_mondays", null);
        assertThat(RecordJson.readStrictly(owner, Owner.class)).isEqualTo(Owner.named("ann"));
    }
}
