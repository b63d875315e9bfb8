package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.agent.approval.ApprovalRequest;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Decided;
import dev.idem.agent.approval.Wanted;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people have decided, as the API tells it: doubts, approvals and denials. */
class DecisionsTest extends ApiCase {
    private static final Caller OPS = token("token ops-2", EnumSet.allOf(Right.class), "*");

    private static Caller token(String name, Set<Right> rights, String scope) {
        return new Caller(
                name, false, new Access(rights, List.of(Access.pattern(scope))), () -> true, () -> true, false);
    }

    private Map<String, @Nullable Object> as(Caller caller, String method, String params) {
        return json(api.call(method, params.replace('\'', '"'), caller));
    }

    /** A doubt that ann has resolved, a call that bob approved, and one that the token denied. */
    @BeforeEach
    void decisions() {
        Map<String, @Nullable Object> granted = granted(",'scope':'acme/shop'");
        settle(granted, "'as':'in_doubt'");
        call(
                "resolve",
                "{'operation':'charge','key':'k','scope':'acme/shop','fence':'" + granted.get("fence")
                        + "','state':'in_doubt','as':'complete','who':'ann','why':'seen','request_id':'12345678'}");
        String drop = asked("acme/shop", "drop");
        assertThat(as(OPS, "approvals.approve", "{'approval':'" + drop + "','who':'bob','why':'ticket 17'}"))
                .containsEntry("by", "bob")
                .containsEntry("caller", "token ops-2")
                .containsEntry("why", "ticket 17");
        as(OPS, "approvals.deny", "{'approval':'" + asked("acme2", "pay") + "','why':'too much'}");
    }

    private String asked(String scope, String tool) {
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Approvals approvals = Approvals.on(idem);
            approvals.ask(new Wanted(new Address(scope, tool, "k"), Map.of("x", "y")));
            return approvals.of(new Address(scope, tool, "k")).stream()
                    .map(ApprovalRequest::key)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> words(Map<String, @Nullable Object> answer) {
        return ((List<Map<String, Object>>) answer.get("decisions"))
                .stream()
                        .map(each -> each.get("decided") + " " + each.get("scope") + " " + each.get("resolution"))
                        .toList();
    }

    @Test
    void allDecisionsAreListedNewestFirst() {
        assertThat(words(call("decisions", "{}")))
                .containsExactly(
                        "denied acme2 {who=token ops-2, why=too much, caller=token ops-2}",
                        "approved acme/shop {who=bob, why=ticket 17, caller=token ops-2}",
                        "complete acme/shop {who=ann, why=seen, request=12345678}");
        assertThat(words(call("decisions", "{'by':'bob'}"))).hasSize(1);
        assertThat(words(call("decisions", "{'by':'token ops-2'}"))).hasSize(2);
        assertThat(words(call("decisions", "{'scope':'acme2'}"))).hasSize(1);
        assertThat(words(call("decisions", "{'operation':'drop'}"))).hasSize(1);
    }

    @Test
    void pagesFollowEachOther() {
        Map<String, @Nullable Object> first = call("decisions", "{'limit':2}");
        assertThat(words(first)).hasSize(2);
        assertThat(words(call("decisions", "{'limit':2,'after':'" + first.get("next") + "'}")))
                .singleElement()
                .asString()
                .startsWith("complete");
    }

    /** The place of the next page was the fence of an entry, which Redis refuses. */
    @Test
    void pagesFollowEachOtherInALedgerWithPlacesOfItsOwn() {
        Browsable places = new OtherPlaces(ledger.as(Browsable.class).orElseThrow());
        List<String> found = new ArrayList<>();
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            for (Query query = Query.all().withLimit(1); query != null; ) {
                Decided.Some some = Decided.browse(places, Approvals.on(idem), query, each -> true);
                some.decisions().forEach(each -> found.add(each.as()));
                query = some.next() == null ? null : query.withAfter(some.next());
            }
        }
        assertThat(found).containsExactly("denied", "approved", "complete");
    }

    @Test
    void onlyThoseOfItsScopesAreShownToAToken() {
        Caller reader = token("token r", EnumSet.of(Right.READ), "acme/*");
        assertThat(words(as(reader, "decisions", "{}"))).hasSize(2).noneMatch(each -> each.contains("acme2"));
    }

    @Test
    void aCallTellsWhoApprovedItAndWhy() {
        assertThat(String.valueOf(call("approvals.of", "{'scope':'acme/shop','operation':'drop','key':'k'}")
                        .get("approvals")))
                .contains("approved=true", "by=bob", "caller=token ops-2", "why=ticket 17");
        assertThat(call("approvals.of", "{'scope':'acme/shop','operation':'drop','key':'other'}"))
                .containsEntry("approvals", List.of());
    }

    @Test
    void aSearchFindsTheCallsThatAPersonApproved() {
        granted("drop");
        assertThat(String.valueOf(call("browse", "{'resolved_by':'bob'}").get("entries")))
                .contains("operation=drop")
                .doesNotContain("operation=charge");
    }

    @Override
    Map<String, @Nullable Object> granted(String operation) {
        return operation.startsWith(",")
                ? super.granted(operation)
                : call(
                        "claim",
                        "{'operation':'" + operation + "','key':'k','scope':'acme/shop','attempt_id':'" + id() + "'}");
    }
}
