package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.State;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The methods that carry a ledger. What they do to entries is shown by the contract of ledgers, on the remote ledger. */
class LedgerMethodsTest extends ApiCase {
    private static final Address SHOP = new Address("acme/shop", "charge", "k");

    private static final Caller TOKEN = token("token ci", EnumSet.allOf(Right.class));
    private static final Caller ACTOR = token("token agent", EnumSet.of(Right.ACT));

    private static Caller token(String name, Set<Right> rights) {
        Access access = new Access(rights, List.of(Access.pattern("acme/*")));
        return new Caller(name, false, access, () -> true, () -> true, false);
    }

    private String ledgerId;

    @BeforeEach
    void hello() {
        ledgerId = (String) call("hello", "{}").get("ledger_id");
    }

    private Map<String, @Nullable Object> ask(Caller caller, String method, Object... members) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>(Map.of("ledger_id", ledgerId));
        for (int i = 0; i < members.length; i += 2) {
            Object value = members[i + 1];
            params.put((String) members[i], value instanceof Record ? RecordJson.write(value) : value);
        }
        return json(api.call("ledger." + method, Json.writePlain(params), caller));
    }

    private Ticket take(Address address) {
        Map<String, @Nullable Object> answer = ask(
                CALLER,
                "claim",
                "request",
                ClaimRequest.of(AttemptId.parse(id()), address, Fingerprints.NONE, Owner.named("ann")));
        return ((Claim.Granted) RecordJson.read(answer.get("claim"), Claim.class)).ticket();
    }

    private static Settlement complete(byte[] bytes) {
        return new Settlement.Completed(
                new Result.Stored(Payload.of(bytes, "x", "bytes")), Effect.CREATED, Retention.DEFAULT);
    }

    @Test
    void helloTellsWhatTheLedgerCan() {
        assertThat(call("hello", "{}")).containsEntry("capabilities", List.of("browse", "trail"));
        assertThat(call("hello", "{}").get("limits").toString()).contains("result_bytes=11796480");
    }

    @Test
    void anotherLedgerIsAMismatch() {
        assertThat(refusal("ledger.find", "{'ledger_id':'other','address':{'scope':'s','operation':'o','key':'k'}}"))
                .startsWith("mismatch");
        assertThat(refusal("ledger.find", "{'address':{'scope':'s','operation':'o','key':'k'}}"))
                .startsWith("malformed: 'ledger_id' is missing");
        assertThat(refusal("ledger.find", "{'ledger_id':'" + ledgerId + "'}"))
                .startsWith("malformed: 'address' is missing");
    }

    @Test
    void aTokenSignsItsDecisions() {
        Ticket ticket = take(SHOP);
        ask(CALLER, "settle", "ticket", ticket, "how", new Settlement.Doubtful(new Failure("t", "")));
        Settlement how = new Settlement.NotExecuted("resolved by ann: seen", Retention.DEFAULT);
        assertThat(resolve(TOKEN, ticket, how)).containsEntry("answer", "done");
        assertThat(ledger.find(SHOP).map(Entry::note)).hasValue("resolved by ann: seen (token ci)");
        assertThat(ledger.find(SHOP).map(Entry::resolution)).hasValue(new ResolvedBy(null, null, null, "token ci"));
    }

    @Test
    void aTokenCantLeaveItsNameOutOfADecision() {
        Ticket ticket = take(SHOP);
        ask(CALLER, "settle", "ticket", ticket, "how", new Settlement.Doubtful(new Failure("t", "")));
        ResolvedBy said = new ResolvedBy("ann", "seen", "request-1", "token boss");
        Settlement how = new Settlement.NotExecuted(said, Retention.DEFAULT);
        resolve(TOKEN, ticket, how);
        assertThat(ledger.find(SHOP).map(Entry::resolution))
                .hasValue(new ResolvedBy("ann (token boss)", "seen", "request-1", "token ci"));
    }

    /** A program that may act, and not decide, can't say in a settlement that a person has decided. */
    @Test
    void aTicketCantCarryAPersonsDecision() {
        Ticket ticket = take(SHOP);
        Settlement forged = new Settlement.NotExecuted(ResolvedBy.of("ann", "seen"), Retention.DEFAULT);
        assertThatThrownBy(() -> ask(ACTOR, "settle", "ticket", ticket, "how", forged))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("use resolve");
        assertThatThrownBy(() -> resolve(ACTOR, ticket, forged))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("operate");
        assertThat(ledger.find(SHOP).map(Entry::state)).hasValue(State.IN_PROGRESS);
    }

    /** The guard of an MCP server takes a doubt for its next round so. Its token was refused, with each such call. */
    @Test
    void aProgramThatMayActTakesADoubtThatStaysOne() {
        Ticket ticket = take(SHOP);
        Settlement doubt = new Settlement.Doubtful(new Failure("t", ""));
        ask(ACTOR, "settle", "ticket", ticket, "how", doubt);

        assertThat(resolve(ACTOR, ticket, doubt)).containsEntry("answer", "done");
        assertThat(resolve(ACTOR, ticket, doubt))
                .as("a second one has seen an older fence")
                .doesNotContainEntry("answer", "done");
        assertThat(ledger.find(SHOP).map(Entry::state)).hasValue(State.IN_DOUBT);
    }

    private Map<String, @Nullable Object> resolve(Caller caller, Ticket seen, Settlement how) {
        return ask(caller, "resolve", "address", SHOP, "fence", seen.fence().toString(), "how", how);
    }

    /** A page of large results would not fit into the memory of either side. */
    @Test
    void aPageOfLargeResultsIsShort() {
        for (int i = 0; i < 5; i++) {
            Ticket ticket = take(new Address("acme/shop", "charge", "k" + i));
            ask(CALLER, "settle", "ticket", ticket, "how", complete(new byte[5 << 20]));
        }
        Page page = page(Query.all().withScope("acme/shop"));
        assertThat(page.entries()).hasSize(3);
        Page next =
                page(Query.all().withScope("acme/shop").withAfter(page.next()).withLimit(3));
        assertThat(next.entries()).extracting(entry -> entry.address().key()).containsExactly("k1", "k0");
        assertThat(next.next()).isNull();
    }

    private Page page(Query query) {
        return RecordJson.read(ask(TOKEN, "browse", "query", query).get("page"), Page.class);
    }

    @Test
    void aTokenSeesItsScopesAlone() {
        take(SHOP);
        take(new Address("acme2/shop", "charge", "k"));
        assertThat(page(Query.all()).entries())
                .extracting(entry -> entry.address().scope())
                .containsExactly("acme/shop");
        Stats stats = RecordJson.read(ask(TOKEN, "stats").get("stats"), Stats.class);
        assertThat(stats.entries().values()).containsExactly(1L);
    }

    @Test
    void aTicketThatIsNamedTwiceIsAnsweredTwice() {
        Map<String, @Nullable Object> one = Map.of("ticket", RecordJson.write(take(SHOP)), "lease", "PT30S");
        assertThat(ask(CALLER, "renew", "tickets", List.of(one, one)))
                .containsEntry("tickets", List.of("renewed", "renewed"));
        assertThat(refusal(
                        "ledger.renew",
                        Json.writePlain(Map.of(
                                "ledger_id",
                                ledgerId,
                                "tickets",
                                List.of(Map.of(
                                        "ticket", RecordJson.write(take(SHOP.withOperation("x"))), "lease", "soon"))))))
                .startsWith("malformed: 'lease'");
    }
}
