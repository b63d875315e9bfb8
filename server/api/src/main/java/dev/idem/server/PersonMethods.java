package dev.idem.server;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.agent.approval.ApprovalRequest;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Decided;
import dev.idem.agent.approval.Decision;
import dev.idem.agent.inbox.Poison;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.browse.Query;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls that wait for an approval, and events that were given up. */
final class PersonMethods {
    private final Approvals approvals;
    private final LookMethods look;
    private final Poison poison;

    PersonMethods(Idem idem, LookMethods look) {
        this.approvals = Approvals.on(idem);
        this.look = look;
        this.poison = Poison.of(idem);
    }

    Answer approvals(Params params, Caller caller) {
        params.end();
        return Answer.of("done")
                .with(
                        "approvals",
                        approvals.pending(params.access().scopes()).stream()
                                .map(PersonMethods::fields)
                                .toList());
    }

    private static Map<String, @Nullable Object> fields(ApprovalRequest request) {
        return new Answer()
                .with("approval", request.key())
                .with("scope", request.session())
                .with("operation", request.tool())
                .with("key", request.callKey())
                .with("summary", request.summary())
                .with("requested_at", request.requestedAt())
                .with("expires_at", request.expiresAt())
                .members();
    }

    Answer approve(Params params, Caller caller) {
        return decide(params, caller, true);
    }

    Answer deny(Params params, Caller caller) {
        return decide(params, caller, false);
    }

    /** A repeat gets the decision that stands; it is the same where the same person has made it. */
    private Answer decide(Params params, Caller caller, boolean approved) {
        String key = params.text("approval");
        String who = params.textOrNull("who");
        ResolvedBy person = caller.decided(who, approved ? params.textOrNull("why") : params.text("why"), null);
        params.end();
        // The scope of a request is known only from the request: that of others is told as one that is not there.
        if (approvals
                .find(key)
                .filter(each -> params.access().may(Right.OPERATE, each.session()))
                .isEmpty()) {
            return Answer.of("gone");
        }
        Decision standing = approvals.decision(key).orElse(null);
        if (standing == null) {
            try {
                standing = approvals.decide(key, approved, person);
            } catch (IllegalStateException e) {
                Decision other = approvals.decision(key).orElse(null);
                return other == null ? Answer.of("expired") : answer("changed", other);
            }
        }
        return answer(standing.approved() == approved ? "done" : "changed", standing);
    }

    /** The requests for approval of one call, with their decisions: who allowed it, and why. */
    Answer of(Params params, Caller caller) {
        Address call = params.address(Right.READ);
        params.end();
        return Answer.of("done")
                .with(
                        "approvals",
                        approvals.of(call).stream()
                                .map(request -> {
                                    Map<String, @Nullable Object> one = fields(request);
                                    approvals
                                            .decision(request.key())
                                            .ifPresent(made -> one.putAll(
                                                    decided(new Answer(), made).members()));
                                    return one;
                                })
                                .toList());
    }

    /** What people have decided: how doubts ended, and which calls may be made. */
    Answer decisions(Params params, Caller caller) {
        Query query = LookMethods.page(params);
        String by = params.textOrNull("by");
        params.end();
        Decided.Some some = Decided.browse(
                look.browsable(),
                approvals,
                query,
                each -> !Access.isNotice(each.call().scope()) && (by == null || each.isBy(by)));
        return Answer.of("done")
                .with(
                        "decisions",
                        some.decisions().stream()
                                .map(each -> {
                                    Map<String, @Nullable Object> one = EntryFields.of(each.call());
                                    one.putAll(new Answer()
                                            .with("decided", each.as())
                                            .with("at", each.at())
                                            .with("resolution", EntryFields.of(each.person()))
                                            .with("approval", each.approval())
                                            .members());
                                    return one;
                                })
                                .toList())
                .with("next", some.next());
    }

    private static Answer answer(String word, Decision decision) {
        return decided(Answer.of(word), decision);
    }

    private static Answer decided(Answer answer, Decision decision) {
        return answer.with("approved", decision.approved())
                .with("by", decision.by())
                .with("caller", decision.caller())
                .with("at", decision.at())
                .with("why", decision.why())
                .with("until", decision.until());
    }

    Answer poison(Params params, Caller caller) {
        String source = params.textOrNull("source");
        params.end();
        if (source != null) {
            params.access().require(Right.READ, Poison.scope(source));
        }
        return Answer.of("done")
                .with(
                        "events",
                        (source == null ? poison.list() : poison.list(source))
                                .stream()
                                        .filter(each -> params.access().may(Right.READ, Poison.scope(each.source())))
                                        .map(each -> new Answer()
                                                .with("source", each.source())
                                                .with("key", each.key())
                                                .with("attempts", each.attempts())
                                                .with("failure", each.failure())
                                                .with("since", each.since())
                                                .members())
                                        .toList());
    }

    Answer again(Params params, Caller caller) {
        String source = params.text("source");
        String key = params.text("key");
        params.end();
        params.access().require(Right.OPERATE, Poison.scope(source));
        return Answer.of(poison.again(source, key) ? "done" : "gone");
    }
}
