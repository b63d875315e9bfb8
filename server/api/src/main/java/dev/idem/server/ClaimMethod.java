package dev.idem.server;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.LedgerUnreadableException;
import dev.idem.Policy;
import dev.idem.agent.approval.Wanted;
import dev.idem.internal.call.Plan;
import dev.idem.internal.call.ServedClaims;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.Failure;
import dev.idem.spi.FieldLimits;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.ProcessRef;
import dev.idem.spi.Processes;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code claim}: takes the key, or tells how the call ended or who runs it. It never waits. */
final class ClaimMethod {
    private final Idem idem;
    private final ServedClaims claims;
    private final ClaimIds ids;
    private final Renewals renewals;
    private final Host host;
    private final LedgerName name;
    private final Doubts doubts;
    private final Results results;

    ClaimMethod(
            Idem idem,
            Ledger ledger,
            ServedClaims claims,
            ClaimIds ids,
            Renewals renewals,
            Host host,
            LedgerName name,
            Results results) {
        this.idem = idem;
        this.claims = claims;
        this.ids = ids;
        this.renewals = renewals;
        this.host = host;
        this.name = name;
        this.doubts = new Doubts(host, ledger);
        this.results = results;
    }

    Answer call(Params params, Caller caller) throws InterruptedException {
        name.require(params.longTextOrNull("ledger"), caller);
        AttemptId id = attemptId(params);
        Owner owner = owner(params.objectOrNull("owner"));
        boolean canProbe = params.flag("can_probe");
        boolean hasWaited = params.flag("waited");
        Params around = params.objectOrNull("parent");
        Address parent = around == null ? null : address(around);
        Params arguments = params.objectOrNull("arguments");
        Plan plan = plan(params);
        params.end();
        FieldLimits.require(plan.labels(), owner, Fingerprints.NONE);
        ServedClaims.Asked asked = claims.asked(plan);
        if (asked.address().equals(parent)) {
            throw ApiException.malformed("'parent' is the claimed call itself. Nothing was claimed");
        }
        ClaimApproval approval = plan.policy().needsApproval() ? approval(asked.address(), arguments, plan) : null;
        // Before the claim: a ledger without an id could grant a ticket that no server would accept.
        name.id();
        ids.begin(id);
        try {
            Answer refusal = approval == null ? null : approval.refusal(id);
            return refusal != null
                    ? refusal
                    : claimed(plan, new ServedClaims.Claimer(id, owner, parent, canProbe, hasWaited), approval, caller);
        } finally {
            ids.end(id);
        }
    }

    private Answer claimed(Plan plan, ServedClaims.Claimer claimer, @Nullable ClaimApproval approval, Caller caller) {
        ServedClaims.Answer claimed = claims.claim(plan, claimer);
        try {
            return answer(plan, claimer, claimed, approval, caller);
        } catch (IllegalStateException | IllegalArgumentException | LedgerUnreadableException e) {
            if (!(claimed.claim() instanceof Claim.Granted)) {
                throw e;
            }
            // The key is taken: a client that hears that nothing was done would neither repeat nor withdraw.
            throw new ApiException(
                    ApiError.INTERNAL,
                    "the claim was granted, but its answer can't be given: " + e.getMessage()
                            + ". Send the same request again, or withdraw it",
                    e);
        }
    }

    private Answer answer(
            Plan plan,
            ServedClaims.Claimer claimer,
            ServedClaims.Answer claimed,
            @Nullable ClaimApproval approval,
            Caller caller) {
        var answers = new ClaimAnswers(
                claimed, plan.policy(), claimer.owner(), claimer.canProbe(), doubts, results, name.id());
        if (claimed.claim() instanceof Claim.Granted granted) {
            Entry entry = granted.entry();
            if (approval != null && !entry.probing() && !approval.use(entry)) {
                Failure why = new Failure("needs_approval", "its approval was used or has expired meanwhile");
                idem.ledger().settle(entry.ticket(), new Settlement.Failed(why, false, Retention.DEFAULT));
                return approval.held();
            }
            renewals.hold(answers.ticket(entry), claimed.sent(), plan.policy().timeLimit(), caller);
        }
        return claimed.claim().match(answers);
    }

    private ClaimApproval approval(Address address, @Nullable Params arguments, Plan plan) {
        if (arguments == null) {
            throw ApiException.malformed("'arguments' is missing: an approval is bound to them. Nothing was claimed");
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(arguments.all());
        return new ClaimApproval(idem, new Wanted(address, all), plan.policy());
    }

    /** The part of a claim that names its entry. */
    static Plan named(Params params) {
        Plan plan = Plan.UNSET
                .withOperation(params.text("operation"))
                .withScope(params.scope(Right.ACT))
                .withOccurrence((int) params.number("occurrence", 1, 1, Integer.MAX_VALUE));
        String key = params.textOrNull("key");
        plan = key == null ? plan : plan.withKey(key);
        Object identity = params.any("identity");
        if (key == null && identity == null) {
            throw ApiException.malformed(
                    "give a 'key' from the caller, or an 'identity' with the fields that make it this call");
        }
        return identity == null ? plan : plan.withIdentity(identity);
    }

    private static Plan plan(Params params) {
        Plan plan = named(params);
        Object content = params.any("content");
        plan = content == null ? plan : plan.withContent(content);
        for (Map.Entry<String, String> label : params.textMap("labels").entrySet()) {
            plan = plan.withLabel(label.getKey(), label.getValue());
        }
        Policy policy = Policies.read(params.any("policy"));
        return plan.withPolicy(policy);
    }

    static AttemptId attemptId(Params params) {
        try {
            return AttemptId.parse(params.text("attempt_id"));
        } catch (IllegalArgumentException e) {
            throw ApiException.malformed(
                    "'attempt_id' must be 32 hex digits from a secure random generator, new for each claim");
        }
    }

    static Address address(Params params) {
        Address address = params.address(Right.ACT);
        params.end();
        return address;
    }

    /** The client's own process, or a name alone. A process that can't be told apart from others is refused. */
    private Owner owner(@Nullable Params params) {
        if (params == null) {
            return Owner.named("a client of idem serve");
        }
        String name = params.textOrNull("name");
        Params process = params.objectOrNull("process");
        params.end();
        if (process == null) {
            if (name == null) {
                throw ApiException.malformed("'owner' needs a name or a process");
            }
            return Owner.named(name);
        }
        ProcessRef reference = new ProcessRef(
                process.text("host"),
                process.number("pid", 0, 1, Integer.MAX_VALUE),
                process.number("start", 0, 1, Long.MAX_VALUE));
        process.end();
        if (reference.pid() == 0 || reference.start() == 0) {
            throw ApiException.malformed("'owner.process' needs host, pid and start: in another container, or later, "
                    + "the same pid is another process");
        } else if (host.of(reference) == Processes.Life.DEAD) {
            throw ApiException.malformed("'owner.process': there is no process " + reference.pid()
                    + " with this start. Read field 22 of /proc/self/stat. Nothing was claimed");
        }
        return new Owner(name == null ? host.name(reference.pid()) : name, reference);
    }
}
