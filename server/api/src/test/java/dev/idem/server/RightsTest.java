package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.approval.ApprovalRequest;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Wanted;
import dev.idem.internal.wire.RecordJson;
import dev.idem.spi.AttemptId;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Ticket;
import dev.idem.spi.Times;
import dev.idem.spi.browse.Query;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every method, with every right, in own, foreign and look-alike scopes. A refusal asks nothing of the ledger. */
class RightsTest extends ApiCase {
    private static final String OWN = "acme/shop";
    private static final List<String> FOREIGN = List.of(
            "acme",
            "acme2/x",
            "ACME/shop",
            "Acme/shop",
            "acme\u2215shop",
            "acm\u0065\u0301/shop",
            " acme/shop",
            "",
            "*",
            "default");

    /** What each method needs, and its request in a scope. */
    private static final Map<String, Needs> METHODS = Map.ofEntries(
            Map.entry("ledger.claim", new Needs(Right.ACT, "{'ledger_id':'%l','request':%r}")),
            Map.entry(
                    "ledger.renew",
                    new Needs(Right.ACT, "{'ledger_id':'%l','tickets':[{'ticket':%w,'lease':'PT1S'}]}")),
            Map.entry("ledger.mark", new Needs(Right.ACT, "{'ledger_id':'%l','ticket':%w,'mark':{'name':'sent'}}")),
            Map.entry("ledger.settle", new Needs(Right.ACT, "{'ledger_id':'%l','ticket':%w,'how':%h}")),
            Map.entry(
                    "ledger.find",
                    new Needs(
                            Set.of(Set.of(Right.ACT), Set.of(Right.READ, Right.PAYLOADS)),
                            "{'ledger_id':'%l','address':%a}")),
            Map.entry(
                    "ledger.resolve", new Needs(Right.OPERATE, "{'ledger_id':'%l','address':%a,'fence':'1','how':%h}")),
            Map.entry("ledger.forget", new Needs(Right.OPERATE, "{'ledger_id':'%l','seen':%e}")),
            Map.entry(
                    "ledger.browse",
                    new Needs(Set.of(Set.of(Right.READ, Right.PAYLOADS)), "{'ledger_id':'%l','query':%q}")),
            // It is for those who may do it in all scopes.
            Map.entry("ledger.purge", new Needs(Set.of(), "{'ledger_id':'%l'}")),
            Map.entry("ledger.trail", new Needs(Right.READ, "{'ledger_id':'%l','address':%a}")),
            Map.entry("claim", new Needs(Right.ACT, "{'operation':'o','key':'n','scope':'%s','attempt_id':'%i'}")),
            Map.entry(
                    "wait",
                    new Needs(Right.ACT, "{'operation':'o','key':'k','scope':'%s','fence':'1','at_most_ms':0}")),
            Map.entry("renew", new Needs(Right.ACT, "{'tickets':[{'ticket':'%t'}]}")),
            Map.entry("mark", new Needs(Right.ACT, "{'ticket':'%t','name':'sent'}")),
            Map.entry("settle", new Needs(Right.ACT, "{'ticket':'%t','as':'complete'}")),
            Map.entry("withdraw", new Needs(Right.ACT, "{'operation':'o','key':'k','scope':'%s','attempt_id':'%i'}")),
            Map.entry("find", new Needs(Right.READ, "{'operation':'o','key':'k','scope':'%s'}")),
            Map.entry("trail", new Needs(Right.READ, "{'operation':'o','key':'k','scope':'%s'}")),
            Map.entry("browse", new Needs(Right.READ, "{'scope':'%s'}")),
            Map.entry("counts", new Needs(Right.READ, "{'scope':'%s'}")),
            Map.entry("result", new Needs(Right.PAYLOADS, "{'operation':'o','key':'k','scope':'%s'}")),
            Map.entry(
                    "resolve",
                    new Needs(
                            Right.OPERATE,
                            "{'operation':'o','key':'k','scope':'%s','fence':'1',"
                                    + "'state':'in_doubt','as':'complete','why':'seen','request_id':'12345678'}")),
            Map.entry("approvals.of", new Needs(Right.READ, "{'operation':'o','key':'k','scope':'%s'}")),
            Map.entry("decisions", new Needs(Right.READ, "{'scope':'%s'}")),
            Map.entry(
                    "forget",
                    new Needs(
                            Right.OPERATE, "{'operation':'o','key':'k','scope':'%s','fence':'1','state':'in_doubt'}")));

    /** Those that name no scope. What they show is compared one by one below. */
    private static final Map<String, @Nullable Right> WITHOUT_SCOPE;

    static {
        Map<String, @Nullable Right> all = new HashMap<>();
        all.put("hello", null);
        all.put("key", null);
        all.put("stats", Right.READ);
        all.put("suggest", Right.READ);
        all.put("approvals.list", Right.READ);
        all.put("approvals.approve", Right.OPERATE);
        all.put("approvals.deny", Right.OPERATE);
        all.put("poison.list", Right.READ);
        all.put("poison.again", Right.OPERATE);
        all.put("ledger.stats", Right.READ);
        WITHOUT_SCOPE = all;
    }

    /** What a method needs: all rights of one of the sets. */
    private record Needs(Set<Set<Right>> anyOf, String request) {
        Needs(Right right, String request) {
            this(Set.of(Set.of(right)), request);
        }

        String in(String scope) {
            Address address = new Address(scope.isEmpty() ? "-" : scope, "o", "k");
            Ticket ticket = new Ticket(address, new Fence(1));
            String text = TicketText.of("x", ticket, false, Policy.write(), Owner.named("x"))
                    .text();
            ClaimRequest claim = ClaimRequest.of(
                    AttemptId.parse(id()), address.withOperation("new"), Fingerprints.NONE, Owner.named("x"));
            Entry entry = new Entry(
                    address,
                    State.FAILED,
                    ticket.fence(),
                    1,
                    Fingerprints.NONE,
                    null,
                    Map.of(),
                    new Tenure(
                            claim.attemptId(),
                            claim.owner(),
                            Moment.ofWall(Instant.EPOCH),
                            ticket.fence(),
                            Moment.ofWall(Instant.EPOCH),
                            false,
                            List.of()),
                    null,
                    new Times(Instant.EPOCH, Instant.EPOCH, null, null),
                    0,
                    null);
            return request.replace('\'', '"')
                    .replace("%s", scope)
                    .replace("%i", id())
                    .replace("%t", text)
                    .replace("%a", json(address))
                    .replace("%w", json(ticket))
                    .replace("%r", json(claim))
                    .replace("%h", json(new Settlement.NotExecuted("seen", Retention.DEFAULT)))
                    .replace("%e", json(entry))
                    .replace("%q", json(Query.all().withScope(scope)));
        }

        private static String json(Record record) {
            return Json.writePlain(RecordJson.write(record));
        }
    }

    private final List<String> asked = new ArrayList<>();
    private Api spied;
    private String ledgerId;

    @BeforeEach
    void spy() {
        Ledger spy = (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    if (!Set.of("as", "describe", "close", "largestResult").contains(method.getName())) {
                        asked.add(method.getName());
                    }
                    try {
                        return method.invoke(ledger, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        spied = new Api(spy, url(), Host.system(), "1");
        // The id of the ledger is made at the first use.
        ledgerId = String.valueOf(json(spied.call("hello", "{}", CALLER)).get("ledger_id"));
    }

    @AfterEach
    void closeSpied() {
        spied.close();
    }

    private static Caller with(Set<Right> rights, String... scopes) {
        return new Caller(
                "token ci",
                false,
                new Access(rights, Stream.of(scopes).map(Access::pattern).toList()),
                () -> true,
                () -> true,
                false);
    }

    @TestFactory
    Stream<DynamicTest> everyMethodNeedsItsRightInThatScope() {
        return METHODS.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
                    String method = each.getKey();
                    for (Set<Right> rights : allSets()) {
                        boolean may = each.getValue().anyOf().stream().anyMatch(rights::containsAll);
                        assertThat(refused(method, each.getValue().in(OWN), with(rights, "acme/*")))
                                .as("%s with %s in its own scope", method, rights)
                                .isEqualTo(!may);
                        for (String scope : FOREIGN) {
                            asked.clear();
                            assertThat(refused(method, each.getValue().in(scope), with(rights, "acme/*")))
                                    .as("%s with %s in '%s'", method, rights, scope)
                                    .isTrue();
                            assertThat(asked)
                                    .as("%s asked the ledger about '%s'", method, scope)
                                    .isEmpty();
                        }
                    }
                }));
    }

    private static List<Set<Right>> allSets() {
        List<Set<Right>> all = new ArrayList<>(List.of(Set.of()));
        for (Right right : Right.values()) {
            for (Set<Right> without : List.copyOf(all)) {
                Set<Right> with = new HashSet<>(without);
                with.add(right);
                all.add(with);
            }
        }
        return all;
    }

    /** Whether it is refused because of the caller; any other error comes later. */
    private boolean refused(String method, String request, Caller caller) {
        try {
            spied.call(method, request.replace("%l", ledgerId), caller);
            return false;
        } catch (ApiException e) {
            return e.error() == ApiError.FORBIDDEN;
        }
    }

    @Test
    void everyMethodIsInOneOfTheTables() {
        assertThat(refusal("nothing", "{}")).contains(METHODS.keySet()).contains(WITHOUT_SCOPE.keySet());
        int named = METHODS.size() + WITHOUT_SCOPE.size();
        assertThat(refusal("nothing", "{}").replaceAll(".*there are ", "").split(", "))
                .hasSize(named);
    }

    @TestFactory
    Stream<DynamicTest> methodsWithoutAScopeNeedTheirRight() {
        return WITHOUT_SCOPE.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
                    Right needed = each.getValue();
                    for (Right right : Right.values()) {
                        asked.clear();
                        boolean refused = refused(each.getKey(), "{}", with(EnumSet.of(right), "acme/*"));
                        assertThat(refused)
                                .as("%s with %s", each.getKey(), right)
                                .isEqualTo(needed != null && right != needed);
                        assertThat(refused && !asked.isEmpty()).isFalse();
                    }
                }));
    }

    @Test
    void nothingOfAnotherScopeIsShown() {
        for (String scope : List.of("acme/shop", "acme2/shop", "acme")) {
            Map<String, @Nullable Object> granted = call(
                    "claim",
                    "{'operation':'pay-" + scope.length() + "','key':'k','scope':'" + scope + "','attempt_id':'" + id()
                            + "','labels':{'of" + scope.length() + "':'x'}}");
            settle(granted, "'as':'complete'");
        }
        Caller acme = with(EnumSet.allOf(Right.class), "acme/*");
        assertThat(as(acme, "browse", "{}"))
                .contains("acme/shop")
                .doesNotContain("acme2")
                .doesNotContain("\"acme\"");
        assertThat(as(acme, "browse", "{'scope_prefix':'acm'}"))
                .contains("acme/shop")
                .doesNotContain("acme2");
        assertThat(as(acme, "stats", "{}")).contains("\"complete\":1");
        assertThat(as(acme, "suggest", "{'of':'scope'}")).contains("acme/shop").doesNotContain("acme2");
        assertThat(as(acme, "suggest", "{'of':'operation'}")).contains("pay-9").doesNotContain("pay-10", "pay-4");
        assertThat(as(acme, "suggest", "{'of':'label'}")).contains("of9").doesNotContain("of10");
        assertThat(as(acme, "resolve", "{'dry_run':true,'filter':{}}")).doesNotContain("acme2");
        assertThat(as(acme, "hello", "{}")).contains("\"scopes\":[\"acme/*\"]");
    }

    private String as(Caller caller, String method, String params) {
        return api.call(method, params.replace('\'', '"'), caller);
    }

    @Test
    void anApprovalBelongsToTheScopeOfItsCall() {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Approvals approvals = Approvals.on(idem);
            approvals.ask(new Wanted(new Address("acme/shop", "drop", "k"), Map.of("table", "ours")));
            approvals.ask(new Wanted(new Address("acme2/shop", "drop", "k"), Map.of("table", "theirs")));
            Caller acme = with(EnumSet.allOf(Right.class), "acme/*");
            assertThat(as(acme, "approvals.list", "{}")).contains("ours").doesNotContain("theirs");
            ApprovalRequest theirs = approvals.pending().stream()
                    .filter(each -> each.session().equals("acme2/shop"))
                    .findFirst()
                    .orElseThrow();
            assertThat(as(acme, "approvals.approve", "{'approval':'" + theirs.key() + "'}"))
                    .contains("gone");
            assertThat(approvals.decision(theirs.key())).isEmpty();
        }
    }

    @Test
    void theEntriesOfApprovalsAreNotForClients() {
        for (String scope : List.of("approvals", "approvals:acme/shop", "idem")) {
            assertThat(refusal(
                            "claim",
                            "{'operation':'decision','key':'k','scope':'" + scope + "','attempt_id':'" + id() + "'}"))
                    .contains("Idem's own");
            assertThat(refusal("forget", METHODS.get("forget").in(scope))).contains("Idem's own");
            assertThat(refusal("resolve", METHODS.get("resolve").in(scope))).contains("Idem's own");
            assertThat(refusal("settle", METHODS.get("settle").in(scope))).contains("Idem's own");
        }
    }

    /** Whoever could write them could approve its own calls. The server's user can open the ledger without the server. */
    @Test
    void theEntriesOfApprovalsAreForLedgersOfTheServersUserAlone() {
        Caller token = with(EnumSet.allOf(Right.class), "*");
        for (String scope : List.of("approvals", "approvals:acme/shop", "idem")) {
            for (String method : List.of(
                    "ledger.claim",
                    "ledger.renew",
                    "ledger.mark",
                    "ledger.settle",
                    "ledger.resolve",
                    "ledger.forget")) {
                asked.clear();
                String request = METHODS.get(method).in(scope).replace("%l", ledgerId);
                assertThatThrownBy(() -> spied.call(method, request, token)).hasMessageContaining("Idem's own");
                assertThat(asked).isEmpty();
                assertThat(spied.call(method, request, CALLER)).contains("answer");
            }
        }
    }

    @Test
    void onlyWhoMayOperateEverywherePurges() {
        assertThat(refused("ledger.purge", "{\"ledger_id\":\"%l\"}", with(EnumSet.of(Right.OPERATE), "*")))
                .isFalse();
        assertThat(refused("ledger.purge", "{\"ledger_id\":\"%l\"}", with(EnumSet.of(Right.ACT), "*")))
                .isTrue();
    }

    @Test
    void aParentIsInAnOwnScopeToo() {
        String claim = "{'operation':'o','key':'k','scope':'acme/shop','attempt_id':'" + id()
                + "','parent':{'scope':'acme2','operation':'o','key':'k'}}";
        assertThat(refused("claim", claim.replace('\'', '"'), with(EnumSet.allOf(Right.class), "acme/*")))
                .isTrue();
        String request = METHODS.get("ledger.claim")
                .in(OWN)
                .replace(
                        "\"request\":{",
                        "\"request\":{\"parent\":{\"scope\":\"acme2\",\"operation\":\"o\",\"key\":\"k\"},");
        assertThat(refused("ledger.claim", request, with(EnumSet.allOf(Right.class), "acme/*")))
                .isTrue();
    }

    @Test
    void aTokenTellsWhoDecided() {
        Map<String, @Nullable Object> granted = granted(",'scope':'acme/shop'");
        settle(granted, "'as':'in_doubt'");
        as(
                with(EnumSet.allOf(Right.class), "*"),
                "resolve",
                "{'operation':'charge','key':'k','scope':'acme/shop','fence':'" + granted.get("fence")
                        + "','state':'in_doubt','as':'complete','who':'ann','why':'seen','request_id':'12345678'}");
        assertThat(call("find", "{'operation':'charge','key':'k','scope':'acme/shop'}")
                        .toString())
                .contains("resolved by ann (token ci): seen")
                .contains("resolution={who=ann, why=seen, request=12345678, caller=token ci}");
    }

    @Test
    void aPatternIsComparedCharacterByCharacter() {
        assertThat(Access.pattern("acme/*").matches("acme/../x")).isTrue();
        assertThat(Access.pattern("acme/*").matches("acme/a/b")).isTrue();
        assertThat(Access.pattern("acme/*").matches("acme/")).isTrue();
        assertThat(Access.pattern("*").matches("")).isTrue();
        assertThat(Access.pattern("acme").matches("acme/x")).isFalse();
        for (String wrong : List.of("", "a*", "*/a", "a/*/b", "**")) {
            assertThatThrownBy(() -> Access.pattern(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
