package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.internal.wire.RecordJson;
import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Query;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the running server takes and gives is what its OpenAPI document says. */
class OpenApiTest {
    @TempDir
    Path folder;

    /** They need a request for approval that is a day old, and an event that was given up. */
    private static final Set<String> UNSEEN =
            Set.of("approvals.approve expired", "approvals.deny expired", "poison.again done");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Set<String> seen = new TreeSet<>();
    private String token;
    private Ledger ledger;
    private Api api;
    private NetworkCarrier carrier;
    private Described described;

    @BeforeEach
    void open() throws Exception {
        TokenFile tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        token = tokens.add("all", Access.ALL, null);
        String url = "sqlite:" + folder.resolve("idem.db");
        ledger = Ledgers.open(url);
        api = new Api(ledger, url, Host.system(), "1");
        carrier = NetworkCarrier.start(
                api, new NetworkCarrier.Place("127.0.0.1", 0, null, null), tokens, Operations.NONE, Host.system());
        described = new Described(send(HttpRequest.newBuilder(carrier.url().resolve("/openapi.json")))
                .body());
    }

    @AfterEach
    void close() throws IOException {
        carrier.close();
        api.close();
        ledger.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String method, String json) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(carrier.url() + "/v1/" + method))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    /** Sends a request whose JSON may have single quotes; both it and its answer must be as they are described. */
    private Map<String, @Nullable Object> call(String method, String params) {
        String request = params.replace('\'', '"');
        try {
            HttpResponse<String> response = post(method, request);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            described.require(method + ".request", request);
            described.require(method + ".answer", response.body());
            Map<String, @Nullable Object> answer = Described.map(Json.parse(response.body()));
            seen.add(method + " " + answer.get("answer"));
            return answer;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private Map<String, @Nullable Object> claim(String key, String more) {
        return call("claim", "{'operation':'charge','key':'" + key + "','attempt_id':'" + id() + "'" + more + "}");
    }

    private Map<String, @Nullable Object> settle(Map<String, @Nullable Object> granted, String more) {
        return call("settle", "{'ticket':'" + granted.get("ticket") + "'," + more + "}");
    }

    private static String of(String key) {
        return "{'operation':'charge','key':'" + key + "'}";
    }

    @Test
    void allRequestsAndAnswersAreAsTheyAreDescribed() throws Exception {
        call("hello", "{'protocol':1,'client':'a test'}");
        call("key", "{'operation':'charge','identity':{'cents':1}}");
        claims();
        waits();
        looks();
        decisions();
        approvalsAndPoison();
        theLedgerItself();
        Set<String> expected = described.answers();
        expected.removeAll(UNSEEN);
        assertThat(seen).containsExactlyElementsOf(expected);
    }

    @Test
    void everyMethodIsDescribed() {
        assertThat(described.paths())
                .containsAll(api.methods().stream().map(each -> "/v1/" + each).toList())
                .contains("/v1/events", "/healthz", "/readyz", "/metrics", "/openapi.json")
                .hasSize(api.methods().size() + 5);
    }

    @Test
    void aRefusalIsAProblemAsItIsDescribed() throws Exception {
        for (HttpResponse<String> refused : List.of(
                post("find", "{}"),
                post("nothing", "{}"),
                post("hello", "{\"protocol\":9}"),
                send(HttpRequest.newBuilder(carrier.url().resolve("/v1/events"))),
                send(HttpRequest.newBuilder(carrier.url().resolve("/nothing"))
                        .header("Authorization", "Bearer " + token)))) {
            assertThat(refused.statusCode()).isGreaterThanOrEqualTo(400);
            described.require("Problem", refused.body());
        }
    }

    @Test
    void whatIsNotDeclaredIsAnError() {
        assertThat(described.errors("find.request", "{\"operation\":\"o\",\"key\":\"k\",\"more\":1}"))
                .isNotEmpty();
        assertThat(described.errors("find.answer", "{\"answer\":\"none\",\"more\":1}"))
                .isNotEmpty();
        assertThat(described.errors("find.answer", "{\"answer\":\"lost\"}")).isNotEmpty();
        assertThat(described.errors("find.answer", "{\"answer\":\"none\"}")).isEmpty();
    }

    private void claims() {
        Map<String, @Nullable Object> granted = claim(
                "done",
                ",'identity':{'to':'ann'},'content':{'note':1},'occurrence':1,'labels':{'team':'red'},'can_probe':true,"
                        + "'policy':{'side_effect':'write','passes_key_to':'stripe','retry':2},'waited':false,"
                        + "'parent':{'operation':'o','key':'p'},'owner':{'name':'me'}");
        claim("done", ",'identity':{'to':'ann'}");
        claim("done", ",'identity':{'to':'bob'}");
        call("renew", "{'tickets':[{'ticket':'" + granted.get("ticket") + "','left_ms':1000}]}");
        settle(granted, "'as':'complete','result':{'id':[1,null]}");
        claim("done", ",'identity':{'to':'ann'},'content':{'note':2}");
        settle(granted, "'as':'complete','result':2");
        Map<String, @Nullable Object> failed = claim("failed", "");
        settle(failed, "'as':'failed','error':{'type':'refused','message':'no money'}");
        settle(claim("kept", ",'policy':{'keep_failures':true}"), "'as':'failed'");
        claim("kept", "");
        settle(
                claim("expired", ",'policy':{'retention':'1ms','tombstone':'1h'}"),
                "'as':'complete','unavailable':'too large'");
        claim("expired", "");
        Map<String, @Nullable Object> doubted = claim("doubted", ",'policy':{'time_limit':'1ms'}");
        settle(doubted, "'as':'in_doubt','error':{'message':'lost'}");
        claim("doubted", "");
        settle(claim("doubted", ",'can_probe':true"), "'as':'not_executed','evidence':'none'");
        settle(doubted, "'as':'complete'");
        Map<String, @Nullable Object> staged = claim("staged", ",'policy':{'staged':true}");
        call("mark", "{'ticket':'" + staged.get("ticket") + "','name':'sent'}");
        settle(staged, "'as':'complete'");
        call("mark", "{'ticket':'" + staged.get("ticket") + "','name':'sent'}");
        String id = id();
        call("claim", "{'operation':'charge','key':'given-up','attempt_id':'" + id + "'}");
        call("withdraw", "{'operation':'charge','key':'given-up','attempt_id':'" + id + "'}");
        call("withdraw", "{'operation':'charge','key':'given-up','attempt_id':'" + id() + "'}");
    }

    private void waits() {
        for (String end : List.of("complete", "failed", "in_doubt")) {
            Map<String, @Nullable Object> granted = claim("awaited-" + end, "");
            String wait = "{'operation':'charge','key':'awaited-" + end + "','fence':'" + granted.get("fence")
                    + "','at_most_ms':0}";
            call("wait", wait);
            settle(granted, "'as':'" + end + "'");
            call("wait", wait);
        }
    }

    private void looks() {
        claim("running", "");
        for (String key : List.of(
                "done", "expired", "failed", "running", "staged", "awaited-in_doubt", "given-up", "kept", "none")) {
            call("find", of(key));
            call("result", of(key));
        }
        call("trail", of("done"));
        call("browse", "{'limit':1,'states':['complete'],'labels':{'team':'red'},'key_prefix':'d'}");
        call("browse", "{'parent':{'operation':'o','key':'p'},'oldest_first':true,'newer_than_ms':1000000}");
        call("browse", "{'resolved_by':'ann','min_attempt':2,'message':'timeout'}");
        call("stats", "{}");
        call("counts", "{'scope':'default'}");
        call("suggest", "{'of':'operation','prefix':'c'}");
    }

    private void decisions() {
        Map<String, @Nullable Object> granted = claim("to-decide", "");
        settle(granted, "'as':'in_doubt'");
        String seenSo =
                "'operation':'charge','key':'to-decide','fence':'" + granted.get("fence") + "','state':'in_doubt'";
        String decision = ",'who':'ann','why':'seen','request_id':'request-1'}";
        call("resolve", "{'dry_run':true,'filter':{'key':'to-decide'}}");
        call("resolve", "{" + seenSo + ",'as':'not_executed'" + decision);
        call("forget", "{" + seenSo + "}");
        call("resolve", "{" + seenSo + ",'as':'complete','result':1,'retention_ms':1000" + decision);
        call("resolve", "{'items':[{" + seenSo + "}],'as':'complete'" + decision);
        call("resolve", "{'items':[{" + seenSo + "}],'as':'complete'" + decision.replace("request-1", "request-2"));
        call("resolve", "{" + seenSo + ",'as':'complete'" + decision.replace("request-1", "request-2"));
        call("resolve", "{" + seenSo.replace("to-decide", "nothing") + ",'as':'complete'" + decision);
        call("forget", "{" + seenSo + "}");
        call("forget", "{" + seenSo.replace("to-decide", "nothing") + "}");
        Entry failed = ledger.find(new Address("default", "charge", "failed")).orElseThrow();
        call("forget", "{'operation':'charge','key':'failed','fence':'" + failed.fence() + "','state':'failed'}");
    }

    private void approvalsAndPoison() throws Exception {
        String asks = ",'policy':{'approval':true},'arguments':{'cents':1}";
        Object held = claim("held", asks).get("approval");
        call("approvals.list", "{}");
        call("approvals.approve", "{'approval':'" + held + "','who':'ann','why':'fine'}");
        call("approvals.deny", "{'approval':'" + held + "','who':'ann','why':'no'}");
        Object denied = claim("denied", asks).get("approval");
        call("approvals.deny", "{'approval':'" + denied + "','why':'no'}");
        claim("denied", asks);
        call("approvals.approve", "{'approval':'" + denied + "'}");
        call("approvals.approve", "{'approval':'none'}");
        Map<?, ?> asked =
                (Map<?, ?>) ((List<?>) call("decisions", "{'by':'ann'}").get("decisions")).get(0);
        call(
                "approvals.of",
                "{'scope':'" + asked.get("scope") + "','operation':'" + asked.get("operation") + "','key':'"
                        + asked.get("key") + "'}");
        call("approvals.deny", "{'approval':'none','why':'no'}");
        call("poison.list", "{}");
        call("poison.again", "{'source':'s','key':'none'}");
    }

    private void theLedgerItself() {
        String ledgerId = "'ledger_id':'" + call("hello", "{}").get("ledger_id") + "',";
        Address at = new Address("default", "whole", "k");
        ClaimRequest request = ClaimRequest.of(AttemptId.parse(id()), at, Fingerprints.NONE, Owner.named("a program"));
        Entry entry = ((Claim.Granted) ledger.claim(request.withStaged(true))).entry();
        String ticket = "'ticket':" + json(entry.ticket());
        String address = "'address':" + json(at);
        String done = json(new Settlement.NotExecuted("nothing", Retention.DEFAULT));
        call("ledger.claim", "{" + ledgerId + "'request':" + json(request) + "}");
        call("ledger.renew", "{" + ledgerId + "'tickets':[{" + ticket + ",'lease':'PT1S'}]}");
        String mark = "{" + ledgerId + ticket + ",'mark':" + json(Mark.of("sent")) + "}";
        call("ledger.mark", mark);
        call("ledger.settle", "{" + ledgerId + ticket + ",'how':" + done + "}");
        call("ledger.mark", mark);
        call("ledger.find", "{" + ledgerId + address + "}");
        call("ledger.trail", "{" + ledgerId + address + "}");
        call("ledger.stats", "{" + ledgerId.replace(",", "") + "}");
        call("ledger.browse", "{" + ledgerId + "'query':" + json(Query.all()) + "}");
        call("ledger.purge", "{" + ledgerId + "'limit':1}");
        String forget = "{" + ledgerId + "'seen':" + json(entry(at).withSettlement(null)) + "}";
        call("ledger.forget", forget);
        call("ledger.forget", forget);
        call("ledger.find", "{" + ledgerId + address + "}");
        Entry doubted = entry(new Address("default", "charge", "awaited-in_doubt"));
        String resolve = "{" + ledgerId + "'address':" + json(doubted.address()) + ",'fence':'" + doubted.fence()
                + "','how':" + done + "}";
        call("ledger.resolve", resolve);
        call("ledger.resolve", resolve);
    }

    private Entry entry(Address at) {
        return ledger.find(at).orElseThrow();
    }

    private static String json(Record record) {
        return Json.writePlain(RecordJson.write(record));
    }
}
