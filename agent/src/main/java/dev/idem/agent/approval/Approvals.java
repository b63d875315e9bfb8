package dev.idem.agent.approval;

import dev.idem.Address;
import dev.idem.Call;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.State;
import dev.idem.spi.Fence;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Requests for approval and their decisions, kept in the ledger: every process that opens it can list and decide the
 * pending ones. An approval is bound to the exact arguments, expires, and is used once. Who decided, and when, is kept.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * Approvals approvals = Approvals.on(idem);
 * ApprovalRequest request = approvals.pending().get(0);      // drop_table(table: "old_orders")
 * approvals.approve(request.key(), "ann");
 * }</pre>
 */
public final class Approvals {
    /** The scope of all entries of approvals. */
    public static final String SCOPE = "approvals";

    /** The operations of all entries of approvals. */
    public static final Set<String> OPERATIONS =
            Set.of(ApprovalEntries.REQUEST, ApprovalEntries.DECISION, ApprovalEntries.USE, ApprovalEntries.OPEN);

    private static final int MOST_ROUNDS = 1000;
    private static final Duration SHORTEST_RETENTION = Duration.ofDays(7);

    private final ApprovalEntries papers;
    private final InstantSource clock;
    private final Duration pendingFor;
    private final Duration validFor;

    private Approvals(Idem idem, InstantSource clock, Duration pendingFor, Duration validFor) {
        this.papers = new ApprovalEntries(idem, SHORTEST_RETENTION)
                .keptFor(pendingFor.plus(validFor).multipliedBy(2));
        this.clock = clock;
        this.pendingFor = pendingFor;
        this.validFor = validFor;
    }

    /** Approvals in the ledger of this Idem. A request can be decided for a day, an approval be used for an hour. */
    public static Approvals on(Idem idem) {
        return new Approvals(idem, InstantSource.system(), Duration.ofDays(1), Duration.ofHours(1));
    }

    /** Sets how long a request can be decided; a day by default. */
    public Approvals pendingFor(Duration duration) {
        return new Approvals(papers.idem(), clock, duration, validFor);
    }

    /** Sets how long an approval can be used after the decision; an hour by default. */
    public Approvals validFor(Duration duration) {
        return new Approvals(papers.idem(), clock, pendingFor, duration);
    }

    /** Sets the wall clock; the system clock by default. */
    public Approvals clock(InstantSource source) {
        return new Approvals(papers.idem(), source, pendingFor, validFor);
    }

    /** Asks whether the call may be made. The first question makes a pending request. */
    public Ruling ask(Wanted wanted) {
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            Ruling ruling = ruling(wanted, key(wanted, round));
            if (ruling != null) {
                return ruling;
            }
        }
        throw new IllegalStateException(wanted.call() + " was asked for " + MOST_ROUNDS + " times");
    }

    /**
     * Uses an approval up for a running call.
     *
     * @return false if it was used or has expired meanwhile
     */
    public boolean use(Ruling.Granted granted, Call call) {
        return use(granted, call.address(), call.attempt(), call.fence());
    }

    /** Uses an approval up for a granted attempt that another process runs; see {@link #use(Ruling.Granted, Call)}. */
    public boolean use(Ruling.Granted granted, Entry attempt) {
        return use(granted, attempt.address(), attempt.attempt(), attempt.fence());
    }

    private boolean use(Ruling.Granted granted, Address call, int attempt, Fence fence) {
        Duration left = Duration.between(clock.instant(), granted.decision().until());
        if (left.isNegative() || left.isZero()) {
            return false;
        }
        // The approval may be valid for longer than the settings here. The record of its use must outlive it.
        return papers.keptFor(left.multipliedBy(2)).use(granted.request().key(), call, attempt, fence);
    }

    /**
     * Gives an approval back that this running call has used, because nothing was called. A later attempt may use
     * it while it is valid.
     */
    public void giveBack(Ruling.Granted granted, Call call) {
        papers.giveBack(granted.request().key(), call.fence());
    }

    /** Takes a pending request from the list, because another caller runs the call or has run it: no person has to decide any more. */
    public void takeBack(Ruling ruling) {
        if (ruling instanceof Ruling.Pending) {
            papers.takeBack(ruling.request());
        }
    }

    /** Whether the attempt with this fence acted under an approval of exactly this call. */
    public boolean letAct(Wanted wanted, Fence attempt) {
        if (papers.isUsed(finishingKey(wanted, attempt))) {
            return true;
        }
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            String key = key(wanted, round);
            if (papers.isUsedBy(key, attempt)) {
                return true;
            } else if (papers.request(key).isEmpty()) {
                return false;
            }
        }
        return false;
    }

    /**
     * Lets a running call finish an approved attempt that is in doubt. It is the same effect, not a second one.
     *
     * @return false if this could not be recorded
     */
    public boolean finish(Wanted wanted, Call call) {
        return papers.use(finishingKey(wanted, call.fence()), call.address(), call.attempt(), call.fence());
    }

    /** The same for a granted attempt that another process runs. */
    public boolean finish(Wanted wanted, Entry attempt) {
        return papers.use(finishingKey(wanted, attempt.fence()), attempt.address(), attempt.attempt(), attempt.fence());
    }

    /**
     * The pending requests, newest first.
     *
     * @throws IllegalStateException if the ledger can't be browsed
     */
    public List<ApprovalRequest> pending() {
        return pending(List.of(Match.prefix("")));
    }

    /** Those of some sessions; see {@link #pending()}. */
    public List<ApprovalRequest> pending(List<Match> sessions) {
        Browsable ledger = browsable();
        List<ApprovalRequest> pending = new ArrayList<>();
        Query query = Query.all()
                .withScopes(ApprovalEntries.scopes(sessions))
                .withOperation(ApprovalEntries.OPEN)
                .withLabels(Map.of(ApprovalEntries.LABEL, ApprovalEntries.WAITS))
                .withStates(State.COMPLETE);
        @Nullable String after = null;
        do {
            Page page = ledger.browse(query.withAfter(after));
            page.entries().stream()
                    .flatMap(entry -> papers.request(entry.address().key()).stream())
                    .filter(request -> sessions.stream().anyMatch(each -> each.matches(request.session()))
                            && isOpen(request)
                            && papers.decision(request.key()).isEmpty())
                    .forEach(pending::add);
            after = page.next();
        } while (after != null);
        return pending;
    }

    /**
     * The requests for approval of one call, newest first, decided or not.
     *
     * @throws IllegalStateException if the ledger can't be browsed
     */
    public List<ApprovalRequest> of(Address call) {
        Browsable ledger = browsable();
        List<ApprovalRequest> found = new ArrayList<>();
        Query query = papers.requests(call);
        @Nullable String after = null;
        do {
            Page page = ledger.browse(query.withAfter(after));
            page.entries().stream()
                    .flatMap(entry -> papers.request(entry.address().key()).stream())
                    .filter(request -> request.call().equals(call))
                    .forEach(found::add);
            after = page.next();
        } while (after != null);
        return found;
    }

    /** The calls whose newest thousand decisions this person, token or user has made. */
    public Set<Address> decidedBy(String name) {
        Set<Address> calls = new HashSet<>();
        for (Query query : ApprovalEntries.decisions(name)) {
            browsable().browse(query.withLimit(MOST_ROUNDS)).entries().stream()
                    .flatMap(entry -> papers.request(entry.address().key()).stream())
                    .forEach(request -> calls.add(request.call()));
        }
        return calls;
    }

    private Browsable browsable() {
        return papers.idem()
                .ledger()
                .as(Browsable.class)
                .orElseThrow(() -> new IllegalStateException("this ledger can't be browsed; ask for a key instead"));
    }

    /** Finds a request, decided or not. */
    public Optional<ApprovalRequest> find(String key) {
        return papers.request(key);
    }

    /** The decision about a request. */
    public Optional<Decision> decision(String key) {
        return papers.decision(key);
    }

    /**
     * Approves a request.
     *
     * @param by who approves it
     * @throws IllegalArgumentException if there is no such request, or the name is too long or has control characters
     * @throws IllegalStateException if it has expired or was denied
     */
    public Decision approve(String key, String by) {
        return decide(key, true, ResolvedBy.of(by, null));
    }

    /** Approves a request with a reason; see {@link #approve(String, String)}. */
    public Decision approve(String key, String by, String why) {
        return decide(key, true, ResolvedBy.of(by, why));
    }

    /** Denies a request; see {@link #approve(String, String)}. */
    public Decision deny(String key, String by, String why) {
        return decide(key, false, ResolvedBy.of(by, why));
    }

    /** Approves or denies a request for a person who may be known through a token alone; see {@link #approve}. */
    public Decision decide(String key, boolean approved, ResolvedBy person) {
        ApprovalRequest request = find(key)
                .orElseThrow(() -> new IllegalArgumentException("there is no request for approval '" + key + "'"));
        Decision standing = papers.decision(key).orElse(null);
        if (standing == null) {
            if (!isOpen(request)) {
                throw new IllegalStateException("request " + key + " has expired at " + request.expiresAt()
                        + "; the call has to be made again to be asked for again");
            }
            var now = clock.instant();
            String by = person.who() != null ? person.who() : person.person();
            String why = Objects.requireNonNullElse(person.why(), "");
            standing = papers.decide(key, new Decision(approved, by, now, why, now.plus(validFor), person.caller()));
        }
        papers.unlist(key, request.session());
        if (standing.approved() != approved) {
            throw new IllegalStateException("request " + key + " was already " + standing.told());
        }
        return standing;
    }

    /** The ruling of one round; null if its approval is used up or has expired. */
    private @Nullable Ruling ruling(Wanted wanted, String key) {
        ApprovalRequest request = papers.request(key).orElse(null);
        if (request == null) {
            var now = clock.instant();
            papers.list(key, wanted.call().scope(), pendingFor);
            request = papers.ask(
                    key,
                    new ApprovalRequest(
                            key,
                            wanted.call().scope(),
                            wanted.call().operation(),
                            wanted.summary(),
                            wanted.call().key(),
                            now,
                            now.plus(pendingFor)));
        }
        Decision decision = papers.decision(key).orElse(null);
        if (decision == null) {
            return isOpen(request) ? new Ruling.Pending(request) : null;
        } else if (!decision.approved()) {
            return new Ruling.Denied(request, decision);
        }
        boolean good = clock.instant().isBefore(decision.until()) && !papers.isUsed(key);
        return good ? new Ruling.Granted(request, decision) : null;
    }

    private boolean isOpen(ApprovalRequest request) {
        return clock.instant().isBefore(request.expiresAt());
    }

    private static String key(Wanted wanted, int round) {
        return key(wanted, "round", round);
    }

    private static String finishingKey(Wanted wanted, Fence attempt) {
        return key(wanted, "finishing", attempt.number());
    }

    private static String key(Wanted wanted, String what, long number) {
        Map<String, Object> identity = Map.of(
                "session",
                wanted.call().scope(),
                "tool",
                wanted.call().operation(),
                "call",
                wanted.call().key(),
                "arguments",
                wanted.arguments(),
                what,
                number);
        return Key.derive(SCOPE, ApprovalEntries.REQUEST, identity).value();
    }
}
