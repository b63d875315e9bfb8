package dev.idem.agent.approval;

import dev.idem.Call;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.internal.key.Key;
import dev.idem.spi.Browsable;
import dev.idem.spi.Fence;
import dev.idem.spi.Page;
import dev.idem.spi.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks people, and remembers what they said, in the ledger: any process that opens it can see and settle what is
 * pending. An approval is bound to the exact arguments, expires, and is used once; who gave it, and when, stays.
 */
public final class Approvals {
    /** The scope of all entries of approvals. */
    public static final String SCOPE = "approvals";

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

    /** Kept where this Idem keeps everything. A request may be decided for a day, an approval used for an hour. */
    public static Approvals on(Idem idem) {
        return new Approvals(idem, InstantSource.system(), Duration.ofDays(1), Duration.ofHours(1));
    }

    /** How long a request may be decided. */
    public Approvals pendingFor(Duration duration) {
        return new Approvals(papers.idem(), clock, duration, validFor);
    }

    /** How long after it was given an approval may be used. */
    public Approvals validFor(Duration duration) {
        return new Approvals(papers.idem(), clock, pendingFor, duration);
    }

    /** Where the time comes from. */
    public Approvals clock(InstantSource source) {
        return new Approvals(papers.idem(), source, pendingFor, validFor);
    }

    /** Whether the call may be made. One that nobody has asked for yet becomes pending. */
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
     * Uses an approval up, in the name of a running call.
     *
     * @return false when it has been used or has expired meanwhile
     */
    public boolean use(Ruling.Granted granted, Call call) {
        Duration left = Duration.between(clock.instant(), granted.decision().until());
        if (left.isNegative() || left.isZero()) {
            return false;
        }
        // Whoever gave it may have given it for longer than is asked for here, and it must not outlive its use.
        return papers.keptFor(left.multipliedBy(2)).use(granted.request().key(), call);
    }

    /** Whether an approval of exactly this call let the attempt with this fence act. */
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
     * Lets a running call finish what an attempt that was let act has left in doubt: the same effect, not another.
     *
     * @return false when this could not be written down
     */
    public boolean finish(Wanted wanted, Call call) {
        return papers.use(finishingKey(wanted, call.fence()), call);
    }

    /** What waits for a person's word, newest first, on a ledger that can be browsed. */
    public List<ApprovalRequest> pending() {
        Browsable ledger = papers.idem()
                .ledger()
                .as(Browsable.class)
                .orElseThrow(() -> new IllegalStateException("this ledger can't be browsed; ask for a key instead"));
        List<ApprovalRequest> pending = new ArrayList<>();
        Query query = Query.all()
                .withScope(SCOPE)
                .withOperation(ApprovalEntries.REQUEST)
                .withStates(State.COMPLETE);
        @Nullable String after = null;
        do {
            Page page = ledger.browse(query.withAfter(after));
            page.entries().stream()
                    .flatMap(entry -> papers.request(entry.address().key()).stream())
                    .filter(request ->
                            isOpen(request) && papers.decision(request.key()).isEmpty())
                    .forEach(pending::add);
            after = page.next();
        } while (after != null);
        return pending;
    }

    /** A request, whatever came of it. */
    public Optional<ApprovalRequest> find(String key) {
        return papers.request(key);
    }

    /** What was decided about a request. */
    public Optional<Decision> decision(String key) {
        return papers.decision(key);
    }

    /**
     * Approves a request.
     *
     * @param by who does
     * @throws IllegalArgumentException when there is no such request
     * @throws IllegalStateException when it has expired, or was decided otherwise
     */
    public Decision approve(String key, String by) {
        return decide(key, true, by, "");
    }

    /** Denies a request; see {@link #approve}. */
    public Decision deny(String key, String by, String why) {
        return decide(key, false, by, why);
    }

    private Decision decide(String key, boolean approved, String by, String why) {
        ApprovalRequest request = find(key)
                .orElseThrow(() -> new IllegalArgumentException("there is no request for approval '" + key + "'"));
        Decision standing = papers.decision(key).orElse(null);
        if (standing == null) {
            if (!isOpen(request)) {
                throw new IllegalStateException("request " + key + " has expired at " + request.expiresAt()
                        + "; the call has to be made again to be asked for again");
            }
            var now = clock.instant();
            standing = papers.decide(key, new Decision(approved, by, now, why, now.plus(validFor)));
        }
        if (standing.approved() != approved) {
            throw new IllegalStateException("request " + key + " was already " + standing.told());
        }
        return standing;
    }

    /** The ruling of one round; null when its approval is used up or has expired. */
    private @Nullable Ruling ruling(Wanted wanted, String key) {
        ApprovalRequest request = papers.request(key).orElse(null);
        if (request == null) {
            var now = clock.instant();
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
