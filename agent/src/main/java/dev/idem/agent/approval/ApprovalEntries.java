package dev.idem.agent.approval;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.internal.codec.Codecs;
import dev.idem.spi.Fence;
import dev.idem.spi.Result;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an approval: the request, the decision and the use. Each is an operation that runs once, so two people
 * who decide at the same time get the same decision. A request or a decision may be written again without harm; a use
 * that was interrupted is in doubt, and counts as a use.
 */
record ApprovalEntries(Idem idem, Duration retention) {
    static final String REQUEST = "approval_request";
    static final String DECISION = "approval_decision";
    static final String USE = "approval_use";
    /** Beside each request that waits for a decision stands one of these, so that lists need not read all requests. */
    static final String OPEN = "approval_open";
    /** By this label they are found: their scopes have the entries of all requests ever made. */
    static final String LABEL = "approval";

    static final String WAITS = "waits";

    private static final int LONGEST_SCOPE = 255;
    private static final Policy RERUN = Policy.unset().rerunOnDoubt();
    private static final String FENCE = "fence";
    private static final String BY = "by";
    private static final String CALLER = "caller";

    /** For reading only: the limit on the size applies when a result is written. */
    private static final Codecs READING = new Codecs(List.of(), Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The same with at least this retention. */
    ApprovalEntries keptFor(Duration needed) {
        return needed.compareTo(retention) > 0 ? new ApprovalEntries(idem, needed) : this;
    }

    ApprovalRequest ask(String key, ApprovalRequest request) {
        return paper(REQUEST, key)
                .policy(RERUN)
                .label("tool", shortened(request.tool()))
                .label("session", shortened(request.session()))
                .returning(ApprovalRequest.class)
                .run(call -> request);
    }

    /** Lists a request that is about to be made. */
    void list(String key, String session, Duration pendingFor) {
        Address at = listed(key, session);
        idem.operation(OPEN)
                .scope(at.scope())
                .key(key)
                .label(LABEL, WAITS)
                .policy(RERUN.retention(pendingFor))
                .run(call -> true);
    }

    /** The requests of calls to the tool of this call in its session. */
    Query requests(Address call) {
        return Query.all()
                .withScope(Approvals.SCOPE)
                .withOperation(REQUEST)
                .withLabels(Map.of("tool", shortened(call.operation()), "session", shortened(call.scope())));
    }

    /** The decisions of this person, and those through this token or user. */
    static List<Query> decisions(String name) {
        Query all = Query.all().withScope(Approvals.SCOPE).withOperation(DECISION);
        return Stream.of(BY, CALLER)
                .map(label -> all.withLabels(Map.of(label, shortened(name))))
                .toList();
    }

    /** Takes a request that was decided from the list. */
    void unlist(String key, String session) {
        idem.find(listed(key, session)).ifPresent(idem.ledger()::forget);
    }

    private static Address listed(String key, String session) {
        String scope = Approvals.SCOPE + ":" + session;
        // The scope is for searching; the few that are too long are found without it.
        return new Address(scope.length() <= LONGEST_SCOPE ? scope : Approvals.SCOPE, OPEN, key);
    }

    /** The scopes in which requests of these sessions are listed. */
    static List<Match> scopes(List<Match> sessions) {
        return Stream.concat(
                        Stream.of(Match.exactly(Approvals.SCOPE)),
                        sessions.stream().map(each -> new Match(Approvals.SCOPE + ":" + each.text(), each.isPrefix())))
                .toList();
    }

    Decision decide(String key, Decision decision) {
        Operation<@Nullable Object> paper = paper(DECISION, key).policy(RERUN).label(BY, shortened(decision.by()));
        return (decision.caller() == null ? paper : paper.label(CALLER, shortened(decision.caller())))
                .returning(Decision.class)
                .run(call -> decision);
    }

    /** Uses the approval up; true if this attempt is the one that did. */
    boolean use(String key, Address used, int attempt, Fence fence) {
        Map<String, Object> user =
                Map.of("scope", used.scope(), "operation", used.operation(), "key", used.key(), "attempt", attempt);
        return paper(USE, key).identity(user).label(FENCE, fence.toString()).attempt(running -> user)
                instanceof Outcome.Done<?>;
    }

    /** Undoes the use by the attempt with this fence. */
    void giveBack(String key, Fence attempt) {
        if (isUsedBy(key, attempt)) {
            idem.find(address(USE, key)).ifPresent(idem.ledger()::forget);
        }
    }

    /** Removes a request that has no decision. It goes first: a request that is not listed would never be decided. */
    void takeBack(ApprovalRequest request) {
        if (decision(request.key()).isEmpty()) {
            // The paper stays until it expires: somebody may have been told its key meanwhile, and may still decide.
            unlist(request.key(), request.session());
        }
    }

    boolean isUsed(String key) {
        return idem.find(address(USE, key)).isPresent();
    }

    boolean isUsedBy(String key, Fence attempt) {
        return idem.find(address(USE, key))
                .map(entry -> attempt.toString().equals(entry.labels().get(FENCE)))
                .orElse(false);
    }

    Optional<ApprovalRequest> request(String key) {
        return Optional.ofNullable(read(REQUEST, key, ApprovalRequest.class));
    }

    Optional<Decision> decision(String key) {
        return Optional.ofNullable(read(DECISION, key, Decision.class));
    }

    private Operation<@Nullable Object> paper(String operation, String key) {
        return idem.operation(operation)
                .scope(Approvals.SCOPE)
                .key(key)
                .policy(Policy.unset().retention(retention));
    }

    private <T> @Nullable T read(String operation, String key, Class<T> type) {
        Entry entry = idem.find(address(operation, key)).orElse(null);
        if (entry == null || !(entry.result() instanceof Result.Stored stored)) {
            return null;
        }
        try {
            return type.cast(Objects.requireNonNull(READING.decode(stored.payload(), type)));
        } catch (Exception e) {
            throw new IllegalStateException(entry.address() + " can't be read: " + e.getMessage(), e);
        }
    }

    private static Address address(String operation, String key) {
        return new Address(Approvals.SCOPE, operation, key);
    }

    private static String shortened(String label) {
        return label.length() <= 255 ? label : label.substring(0, 255);
    }
}
