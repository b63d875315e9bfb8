package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
    private static final String HOST = "'host':'AAAAAAAAAAAAAAAAAAAAAA/1'";

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
