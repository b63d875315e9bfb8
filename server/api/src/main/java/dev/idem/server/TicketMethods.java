package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.Warning;
import dev.idem.internal.call.ServedClaims;
import dev.idem.internal.codec.Codecs;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.FieldLimits;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The methods of a client that holds a ticket, waits for one, or has lost one. */
final class TicketMethods {
    static final Duration LONGEST_WAIT = Duration.ofSeconds(25);
    static final int MOST_TICKETS = 1000;
    /** Half of the threads, so that those who settle are served. One more is answered without waiting. */
    private static final int MOST_WAITS = 128;

    private static final Duration WAIT_STEP = Duration.ofSeconds(1);
    private static final Duration CENTURY = Duration.ofDays(36_525);
    private static final String WITHDRAWN = "the client gave up and ran nothing";

    private static final System.Logger LOG = System.getLogger(TicketMethods.class.getName());
    private static final int MOST_LOGGED = 1000;
    private static final Warning UNMARKED = new Warning(
            Warning.Code.UNMARKED,
            "the action is staged, and acted without a mark: if its process had died, it would run again. Write the mark"
                    + " right before the effect");

    private final Ledger ledger;
    private final LedgerName name;
    private final ServedClaims claims;
    private final ClaimIds ids;
    private final Renewals renewals;
    private final Codecs codecs;
    private final Host host;
    private final Doubts doubts;
    private final Results results;
    private final Set<String> unmarked = ConcurrentHashMap.newKeySet();
    private final Budget waits = new Budget("waits", MOST_WAITS, MOST_WAITS / 2);
    private volatile boolean ending;

    TicketMethods(
            Ledger ledger,
            LedgerName name,
            ServedClaims claims,
            ClaimIds ids,
            Renewals renewals,
            Codecs codecs,
            Host host,
            Results results) {
        this.ledger = ledger;
        this.name = name;
        this.claims = claims;
        this.ids = ids;
        this.renewals = renewals;
        this.codecs = codecs;
        this.host = host;
        this.doubts = new Doubts(host, ledger);
        this.results = results;
    }

    /** Waits for the attempt with a fence. It only reads: a replay is counted by the claim that follows. */
    Answer await(Params params, Caller caller) throws InterruptedException {
        Address address = params.address(Right.ACT);
        Fence seen = fence(params);
        long longest = params.number("at_most_ms", LONGEST_WAIT.toMillis(), 0, LONGEST_WAIT.toMillis());
        Policy policy = Policies.read(params.any("policy"));
        boolean canProbe = params.flag("can_probe");
        params.end();
        Entry entry;
        try (Budget.Place place = longest == 0 ? null : waits.take(caller.client())) {
            entry = awaited(address, seen, place == null ? 0 : longest, caller);
        }
        if (entry == null || !entry.fence().equals(seen)) {
            return Answer.of("claim_again");
        } else if (entry.state() == State.IN_PROGRESS) {
            Duration left = host.now().until(entry.tenure().lease());
            return ClaimAnswers.inFlight(entry, left.isNegative() ? Duration.ZERO : left);
        } else if (entry.settlement() instanceof Settlement.Doubtful && entry.doubt() != null) {
            return doubts.answer(entry, policy, canProbe);
        }
        return entry.settlement() instanceof Settlement.Failed ? ClaimAnswers.failed(entry) : Answer.of("claim_again");
    }

    private TicketText ticket(Params params) {
        TicketText ticket = TicketText.parse(params.longText("ticket"));
        params.access().require(Right.ACT, ticket.ticket().address().scope());
        if (!ticket.ledgerId().equals(name.id())) {
            throw new ApiException(
                    ApiError.MISMATCH,
                    "this ticket is of another ledger than " + name.shown()
                            + ": the ledger was replaced, or its memory is gone. Nothing was done");
        }
        return ticket;
    }

    /** Waits in steps, so that it ends with the server, and with the caller's token. */
    private @Nullable Entry awaited(Address address, Fence seen, long millis, Caller caller)
            throws InterruptedException {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Duration step = left.compareTo(WAIT_STEP) < 0 ? left : WAIT_STEP;
            Entry entry = claims.await(address, seen, step).orElse(null);
            if (!caller.stands().getAsBoolean()) {
                throw new ApiException(
                        ApiError.UNAUTHORISED, "the token was revoked, or has expired. Nothing was done");
            }
            boolean runs = entry != null
                    && entry.state() == State.IN_PROGRESS
                    && entry.fence().equals(seen);
            if (!runs || step.equals(left) || ending) {
                return entry;
            }
        }
    }

    /** Ends all waits soon. */
    void endWaits() {
        ending = true;
    }

    static Fence fence(Params params) {
        try {
            return new Fence(Long.parseLong(params.text("fence")));
        } catch (IllegalArgumentException e) {
            throw ApiException.malformed("'fence' must be the text that an answer gave, such as \"17\"");
        }
    }

    /** Renews many tickets. From now on this server renews them too, as far as it sees their clients. */
    Answer renew(Params params, Caller caller) {
        List<TicketText> tickets = new ArrayList<>();
        List<Duration> left = new ArrayList<>();
        for (Params each : params.objects("tickets", MOST_TICKETS)) {
            tickets.add(ticket(each));
            left.add(Duration.ofMillis(each.number("left_ms", 0, 0, CENTURY.toMillis())));
            each.end();
        }
        params.end();
        long now = System.nanoTime();
        Map<Ticket, Duration> leases = new HashMap<>();
        tickets.forEach(each -> leases.put(each.ticket(), each.lease()));
        Map<Ticket, String> answers = unrenewed(ledger, leases);
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        for (int i = 0; i < tickets.size(); i++) {
            TicketText one = tickets.get(i);
            String answer = answers.getOrDefault(one.ticket(), "renewed");
            if (answer.equals("renewed")) {
                renewals.hold(one, now, left.get(i), caller);
            } else if (answer.equals("lost")) {
                renewals.release(one.ticket());
            }
            all.add(Answer.of(answer)
                    .withMillis("lease_ms", answer.equals("renewed") ? one.lease() : null)
                    .members());
        }
        return Answer.of("done").with("tickets", all);
    }

    /** The answers of tickets that were not renewed. */
    static Map<Ticket, String> unrenewed(Ledger ledger, Map<Ticket, Duration> leases) {
        Map<Ticket, String> answers = new HashMap<>();
        GroupRenewing group =
                leases.size() < 2 ? null : ledger.as(GroupRenewing.class).orElse(null);
        if (group == null) {
            leases.forEach((ticket, lease) -> {
                if (!ledger.renew(ticket, lease)) {
                    answers.put(ticket, "lost");
                }
            });
            return answers;
        }
        GroupRenewing.Unrenewed unrenewed = group.renewAll(leases);
        unrenewed.lost().forEach(ticket -> answers.put(ticket, "lost"));
        unrenewed.unanswered().forEach(ticket -> answers.put(ticket, "unanswered"));
        return answers;
    }

    Answer mark(Params params, Caller caller) {
        TicketText ticket = ticket(params);
        Mark mark = Mark.of(params.text("name"));
        params.end();
        if (ticket.probing()) {
            throw ApiException.malformed("this ticket allows only a probe, which leaves no mark");
        }
        if (ledger.mark(ticket.ticket(), mark)) {
            return Answer.of("marked");
        }
        Entry entry = ledger.find(ticket.ticket().address()).orElse(null);
        if (entry != null
                && entry.ticket().equals(ticket.ticket())
                && !entry.tenure().staged()) {
            throw ApiException.malformed("marks are for a policy with staged: true. Nothing was marked");
        }
        return Answer.of("stale");
    }

    Answer settle(Params params, Caller caller) {
        TicketText ticket = ticket(params);
        Settlement how = settlement(ticket, params);
        params.end();
        Settled settled = ledger.settle(ticket.ticket(), how);
        renewals.release(ticket.ticket());
        if (settled instanceof Settled.Recorded recorded) {
            Answer answer =
                    Answer.of("recorded").with("state", recorded.entry().state().word());
            answer.withWarnings(unmarked(ticket, how, recorded.entry()));
            return recorded.entry().result() instanceof Result.Unavailable none
                    ? answer.with("unavailable", none.why())
                    : answer;
        } else if (settled instanceof Settled.Already already) {
            Entry entry = already.entry();
            Answer answer = Answer.of("already").with("state", entry.state().word());
            return entry.state() == State.COMPLETE ? results.add(answer, entry) : answer;
        }
        Entry now = ((Settled.Stale) settled).entry();
        return Answer.of("stale").with("state", now == null ? null : now.state().word());
    }

    /** The warning of a staged action that ran without a mark. Each operation is logged once, for clients that drop it. */
    private List<Warning> unmarked(TicketText ticket, Settlement how, Entry entry) {
        boolean acted = how instanceof Settlement.Completed && !ticket.probing();
        if (!acted || !entry.tenure().staged() || entry.tenure().lastMark() != null) {
            return List.of();
        }
        String operation = entry.address().operation();
        if (unmarked.size() < MOST_LOGGED && unmarked.add(operation)) {
            LOG.log(System.Logger.Level.WARNING, "''{0}'': {1}", operation, UNMARKED.message());
        }
        return List.of(UNMARKED);
    }

    private Settlement settlement(TicketText ticket, Params params) {
        String word = params.text("as");
        Retention retention = ticket.retention();
        Retention bare = Retention.of(retention.keep());
        switch (word) {
            case "complete" -> {
                return new Settlement.Completed(result(params), Effect.CREATED, retention);
            }
            case "failed" -> {
                boolean kept = ticket.keepsFailures() && !ticket.probing();
                return new Settlement.Failed(failure(params, "failed"), kept, kept ? retention : bare);
            }
            case "not_executed" -> {
                if (!ticket.probing()) {
                    throw ApiException.malformed(
                            "'not_executed' is what a probe found out about an earlier attempt, and "
                                    + "this ticket runs the action: settle it as 'failed'. Nothing was settled");
                }
                String evidence = params.longTextOrNull("evidence");
                return new Settlement.NotExecuted(
                        evidence == null ? "a probe found no effect" : FieldLimits.cut(evidence, FieldLimits.TEXT),
                        bare);
            }
            case "in_doubt" -> {
                boolean ended = params.flag("ended") && ticket.hasGrace();
                return new Settlement.Doubtful(failure(params, "in_doubt"), ended);
            }
            default ->
                throw ApiException.malformed(
                        "'as' must be complete, failed, not_executed or in_doubt. Nothing was settled");
        }
    }

    private Result result(Params params) {
        String json = (String) params.any(Params.RESULT);
        String unavailable = params.longTextOrNull("unavailable");
        if (unavailable == null) {
            return codecs.encodeJson((json == null ? "null" : json).getBytes(StandardCharsets.UTF_8));
        } else if (json != null) {
            throw ApiException.malformed("give 'result' or 'unavailable', not both. Nothing was settled");
        }
        return new Result.Unavailable(FieldLimits.cut(unavailable, FieldLimits.TEXT));
    }

    private static Failure failure(Params params, String kind) {
        Params error = params.objectOrNull("error");
        if (error == null) {
            return Failure.told(kind, "");
        }
        String type = error.longTextOrNull("type");
        String message = error.longTextOrNull("message");
        Failure failure = Failure.told(type == null ? kind : type, message == null ? "" : message);
        error.end();
        return failure;
    }

    /** Ends the attempt of a claim that the client has given up without an answer. */
    Answer withdraw(Params params, Caller caller) throws InterruptedException {
        AttemptId id = ClaimMethod.attemptId(params);
        Address address = claims.asked(ClaimMethod.named(params)).address();
        params.end();
        ids.withdraw(id);
        Settled settled = claims.withdraw(address, id, WITHDRAWN).orElse(null);
        if (!(settled instanceof Settled.Recorded recorded)) {
            return Answer.of("nothing");
        }
        renewals.release(recorded.entry().ticket());
        return Answer.of("withdrawn").with("state", recorded.entry().state().word());
    }
}
