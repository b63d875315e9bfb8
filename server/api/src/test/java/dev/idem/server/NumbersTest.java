package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.browse.Query;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every number of every method, with values that do not belong there: the answer is a clear one, and no error of the server. */
class NumbersTest extends ApiCase {
    private static final List<String> VALUES = List.of(
            "-5",
            "-1",
            "0",
            "1",
            "2147483648",
            "9007199254740992",
            "4611686018427387904",
            "9223372036854775807",
            "18446744073709551616",
            "1e300",
            "1.5",
            "'NaN'",
            "'5'",
            "true",
            "null",
            "[]",
            "{}");
    private static final String SELF = "AAAAAAAAAAAAAAAAAAAAAA/1";
    private static final String HOST = "'host':'" + SELF + "'";

    /** What a value inside of a record is replaced by: numbers of JSON, and texts in the forms that records have. */
    private static final List<Object> FORGED = List.of(
            -1L,
            0L,
            1L << 62,
            BigInteger.TWO.pow(64),
            new BigDecimal("1e400"),
            0.5,
            new BigDecimal("-1e-400"),
            "-1",
            "4611686018427387904",
            "1.5",
            "PT0S",
            "PT-5S",
            "PT4611686018427387904S",
            "PT9223372036854775807S",
            "-1000000000-01-01T00:00:00Z",
            "+1000000000-12-31T23:59:59.999999999Z");

    private static final Duration LONG = Duration.ofHours(10);

    private String ledgerId;
    /** Where a ticket has its lease, in milliseconds. */
    private static final int LEASE = 7;

    private String ticket;

    @BeforeEach
    void begin() {
        ledgerId = String.valueOf(call("hello", "{}").get("ledger_id"));
        ticket = String.valueOf(granted("").get("ticket"));
    }

    /** What the ledger holds. */
    private String held() {
        return call("stats", "{}").get("entries") + " "
                + call("find", "{'operation':'charge','key':'k'}").get("entry");
    }

    private void requireClear(String method, String params) {
        String before = held();
        try {
            call(method, params);
        } catch (ApiException e) {
            assertThat(e.error()).as(method + " " + params).isNotEqualTo(ApiError.INTERNAL);
            assertThat(held()).as(method + " " + params).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello {'protocol':N}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','occurrence':N}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','owner':{'process':{HOST,'pid':N,'start':1}}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','owner':{'process':{HOST,'pid':1,'start':N}}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','policy':{'lease':N}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','policy':{'time_limit':N}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','policy':{'wait':N}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','policy':{'retention':N}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','policy':{'retry':N}}",
                "claim {'operation':'o','key':'n','attempt_id':'ID','identity':N}",
                "withdraw {'operation':'o','key':'n','attempt_id':'ID','occurrence':N}",
                "wait {'operation':'o','key':'n','fence':'1','at_most_ms':N}",
                "wait {'operation':'o','key':'n','fence':N}",
                "renew {'tickets':[{'ticket':'TICKET','left_ms':N}]}",
                "browse {'limit':N}",
                "browse {'older_than_ms':N}",
                "browse {'newer_than_ms':N}",
                "browse {'after':N}",
                "counts {'newer_than_ms':N}",
                "counts {'older_than_ms':N}",
                "resolve {'operation':'charge','key':'k','fence':N,'state':'in_doubt','as':'complete','why':'w','request_id':'12345678'}",
                "resolve {'operation':'charge','key':'k','fence':'1','state':'in_doubt','as':'complete','why':'w','request_id':'12345678','retention_ms':N}",
                "forget {'operation':'charge','key':'k','fence':N,'state':'in_doubt'}",
                "key {'operation':'o','identity':{'a':1},'occurrence':N}",
                "ledger.purge {'ledger_id':'LEDGER','limit':N}",
                "ledger.browse {'ledger_id':'LEDGER','query':{'limit':N}}",
            })
    void aNumberOfAMethod(String request) {
        String[] parts = request.split(" ", 2);
        for (String value : VALUES) {
            requireClear(
                    parts[0],
                    parts[1].replace("N", value)
                            .replace("HOST", HOST)
                            .replace("LEDGER", ledgerId)
                            .replace("TICKET", ticket)
                            .replace("'ID'", "'" + id() + "'"));
        }
    }

    @Test
    void aNumberOfATicket() {
        List<?> parts = (List<?>) Json.parse(Base64.getUrlDecoder().decode(ticket));
        for (int i = 0; i < parts.size(); i++) {
            for (String value : VALUES) {
                if (i == LEASE && value.equals("1")) {
                    continue; // It is good, and the entry would lapse between two looks.
                }
                List<@Nullable Object> forged = new ArrayList<>(parts);
                forged.set(i, Json.parse(value.replace('\'', '"')));
                String text = ticketOf(forged);
                requireClear("renew", "{'tickets':[{'ticket':'" + text + "','left_ms':1000}]}");
                requireClear("mark", "{'ticket':'" + text + "','name':'sent'}");
            }
        }
    }

    private static String ticketOf(List<@Nullable Object> parts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Json.writePlain(parts).getBytes(StandardCharsets.UTF_8));
    }

    /** A request of a program that has this server as its ledger, about an entry that was claimed for it alone. */
    private interface Forgeable {
        Map<String, Object> params(NumbersTest test, Entry entry);
    }

    private record Request(String method, String name, Forgeable forgeable) {
        @Override
        public String toString() {
            return method + " " + name;
        }
    }

    static List<Request> records() {
        Failure failure = new Failure("t", "m");
        Retention kept = Retention.of(Duration.ofDays(1)).withTombstone(Duration.ofDays(2));
        Result stored = new Result.Stored(Payload.of(new byte[] {1}, "x", "bytes"));
        ResolvedBy ann = new ResolvedBy("ann", "seen", "request-1", null);
        List<Request> all = new ArrayList<>(List.of(
                new Request(
                        "claim", "", (test, entry) -> of("request", RecordJson.write(test.request(entry.address())))),
                new Request(
                        "renew",
                        "",
                        (test, entry) -> of(
                                "tickets", List.of(of("ticket", RecordJson.write(entry.ticket()), "lease", "PT30S")))),
                new Request(
                        "mark",
                        "",
                        (test, entry) -> of(
                                "ticket",
                                RecordJson.write(entry.ticket()),
                                "mark",
                                RecordJson.write(new Mark("sent", new ProcessRef(SELF, 7, 8))))),
                new Request("find", "", (test, entry) -> of("address", RecordJson.write(entry.address()))),
                new Request("trail", "", (test, entry) -> of("address", RecordJson.write(entry.address()))),
                new Request("forget", "", (test, entry) -> {
                    test.ledger.settle(entry.ticket(), new Settlement.Completed(stored, Effect.CREATED, kept));
                    Entry seen = test.ledger.find(entry.address()).orElseThrow();
                    return of("seen", RecordJson.write(seen.withSettlement(null)));
                }),
                new Request(
                        "browse",
                        "",
                        (test, entry) -> of(
                                "query",
                                RecordJson.write(Query.all()
                                        .withStates(State.IN_PROGRESS)
                                        .withScope("default")
                                        .withOperation("charge")
                                        .withAge(Duration.ofSeconds(1), Duration.ofDays(1))
                                        .withAfter("7")
                                        .withLimit(3))))));
        for (Settlement how : List.of(
                new Settlement.Completed(stored, Effect.CREATED, kept),
                new Settlement.Completed(new Result.Unavailable("why"), Effect.NOOP, kept),
                new Settlement.Failed(failure, true, kept),
                new Settlement.NotExecuted("evidence", kept),
                new Settlement.Doubtful(failure, true))) {
            all.add(new Request(
                    "settle",
                    how.getClass().getSimpleName(),
                    (test, entry) -> of("ticket", RecordJson.write(entry.ticket()), "how", RecordJson.write(how))));
        }
        for (Settlement how : List.of(
                new Settlement.Completed(stored, Effect.CREATED, kept, ann), new Settlement.NotExecuted(ann, kept))) {
            all.add(new Request("resolve", how.getClass().getSimpleName(), (test, entry) -> {
                test.ledger.settle(entry.ticket(), new Settlement.Doubtful(failure));
                return of(
                        "address",
                        RecordJson.write(entry.address()),
                        "fence",
                        entry.fence().toString(),
                        "how",
                        RecordJson.write(how));
            }));
        }
        return all;
    }

    private ClaimRequest request(Address address) {
        return new ClaimRequest(
                AttemptId.parse(id()),
                address,
                Fingerprints.NONE,
                address.withOperation("parent"),
                Map.of("order", "7"),
                new Owner("ann", new ProcessRef(SELF, 7, 8)),
                LONG,
                LONG,
                true,
                TakeOver.NONE,
                Duration.ofSeconds(1),
                Repeat.REPLAY);
    }

    /** Each answer is a right one or a refusal in words; the ledger can still be read after either. */
    @ParameterizedTest
    @MethodSource("records")
    void aValueOfARecord(Request request) {
        int forged = 0;
        for (int leaf = 0, leaves = 1; leaf < leaves; leaf++) {
            for (Object value : FORGED) {
                Address address = new Address("default", "charge", "k" + forged++);
                Entry entry = ledger.claim(request(address)).entry();
                Map<String, Object> params =
                        new LinkedHashMap<>(request.forgeable().params(this, entry));
                int[] at = {leaf};
                Object changed = forged(params, at, value);
                leaves = leaf - at[0];
                @SuppressWarnings("unchecked")
                Map<String, Object> all = (Map<String, Object>) changed;
                all.put("ledger_id", ledgerId);
                requireClear("ledger." + request.method(), address, Json.write(all));
            }
            assertThat(call("browse", "{'limit':" + FORGED.size() + "}"))
                    .as("place " + leaf)
                    .containsEntry("answer", "done");
        }
        assertThat(call("counts", "{}")).containsEntry("answer", "done");
        assertThat(call("ledger.stats", "{'ledger_id':'" + ledgerId + "'}")).containsEntry("answer", "done");
        assertThat(call("ledger.purge", "{'ledger_id':'" + ledgerId + "'}")).containsEntry("answer", "done");
    }

    /** The same with another value at one place; the number of that place is counted down. */
    private static Object forged(Object value, int[] place, Object instead) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((name, member) -> members.put((String) name, forged(member, place, instead)));
            return members;
        } else if (value instanceof List<?> list) {
            return list.stream().map(each -> forged(each, place, instead)).toList();
        }
        return place[0]-- == 0 ? instead : value;
    }

    private void requireClear(String method, Address address, String params) {
        Entry before = ledger.find(address).orElseThrow();
        try {
            api.call(method, params, CALLER);
        } catch (ApiException e) {
            assertThat(e.error()).as(method + " " + params).isEqualTo(ApiError.MALFORMED);
            assertThat(e.getMessage()).as(method + " " + params).doesNotContain("Exception", "java", "null");
            assertThat(ledger.find(address)).as(method + " " + params).hasValue(before);
        }
    }

    /** An overflow was an error of the server, and a lease that has ended gave the call away. */
    @ParameterizedTest
    @ValueSource(longs = {-5, 0, 4611686018427387904L, Long.MAX_VALUE})
    void aLeaseOfATicketIsALease(long lease) {
        List<@Nullable Object> parts =
                new ArrayList<>((List<?>) Json.parse(Base64.getUrlDecoder().decode(ticket)));
        parts.set(7, lease);
        String forged = ticketOf(parts);
        String before = held();
        assertThat(refusal("renew", "{'tickets':[{'ticket':'" + forged + "','left_ms':1}]}"))
                .startsWith("malformed");
        assertThat(refusal("settle", "{'ticket':'" + forged + "','as':'complete'}"))
                .startsWith("malformed");
        assertThat(held()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-5S", "PT0S", "PT9223372036854775807S", "PT4611686018427387904S", "5", ""})
    void aLeaseOfAProgramIsALease(String lease) {
        Map<?, ?> entry =
                (Map<?, ?>) call("find", "{'operation':'charge','key':'k'}").get("entry");
        String renew = "{'ledger_id':'" + ledgerId + "','tickets':[{'ticket':{'address':{'scope':'default','operation':"
                + "'charge','key':'k'},'fence':'" + entry.get("fence") + "'},'lease':'" + lease + "'}]}";
        String before = held();
        assertThat(refusal("ledger.renew", renew)).startsWith("malformed");
        assertThat(held()).isEqualTo(before);
    }
}
