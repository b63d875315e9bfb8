package dev.idem.cli.approval;

import dev.idem.Idem;
import dev.idem.agent.approval.ApprovalRequest;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Decision;
import dev.idem.cli.around.Iso;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Addresses;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.entry.Queries;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.entry.Table;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.spi.Ledger;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.browse.Browsable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists the requests for approval, and decides one of them. */
final class Deciding {
    static final Option BY = Option.of("--by", "WHO", "who decides; without it, the name of the user");
    private static final String CHECK = "check the key and the ledger (" + LedgerPlace.HOW + ")";

    private final Surroundings around;
    private final Arguments arguments;
    private final boolean approves;
    private final @Nullable String why;
    private final String key;
    private final Duration validFor;

    /**
     * Checks the line; throws a {@link UsageException} when a value makes no sense.
     *
     * @param why the reason; null for none
     */
    Deciding(Surroundings around, Arguments arguments, boolean approves, @Nullable String why) {
        this.around = around;
        this.arguments = arguments;
        this.approves = approves;
        this.why = why;
        this.key = arguments.operand();
        this.validFor = Durations.positive(arguments, ApproveCommand.VALID_FOR);
        if (!arguments.operands().isEmpty()) {
            Addresses.of(Approvals.SCOPE, "approval_request", key);
            try {
                ResolvedBy.of(who(), why);
            } catch (IllegalArgumentException e) {
                throw new UsageException(e.getMessage() + ". Nothing was decided");
            }
        }
    }

    Answer run() {
        try (Ledger ledger = LedgerPlace.open(around, arguments);
                Idem idem = Idem.builder()
                        .ledger(ledger)
                        .purgeEvery(Duration.ZERO)
                        .quiet()
                        .open()) {
            Approvals approvals = Approvals.on(idem)
                    .validFor(validFor)
                    .clock(() -> around.host().now().wall());
            if (!arguments.operands().isEmpty()) {
                return decide(approvals);
            }
            return ledger.as(Browsable.class).isPresent() ? pending(approvals) : Queries.notBrowsable(ledger);
        }
    }

    private Answer pending(Approvals approvals) {
        List<ApprovalRequest> all = approvals.pending();
        Table table = new Table("KEY", "SESSION", "UNTIL", "WHAT");
        all.forEach(request ->
                table.row(request.key(), request.session(), Iso.local(request.expiresAt()), request.summary()));
        return Answer.ok("noop")
                .with("pending", all.stream().map(Deciding::fields).toList())
                .text(all.isEmpty() ? "nothing waits for approval\n" : table.text());
    }

    private Answer decide(Approvals approvals) {
        ApprovalRequest request = approvals.find(key).orElse(null);
        if (request == null) {
            return Answer.no(
                            ExitCode.NOT_FOUND,
                            "NOT_FOUND",
                            "there is no request for approval '" + key + "' in the ledger "
                                    + LedgerPlace.shown(arguments, around.env()))
                    .fix(CHECK)
                    .fixCommand(Suggested.line(around.program(), arguments, "approve"))
                    .line(CHECK);
        }
        Decision standing = approvals.decision(key).orElse(null);
        if (standing != null) {
            String told = "was " + standing.told();
            return standing.approved() != approves
                    ? refused(request, "'" + key + "' " + told + ". Nothing was changed")
                    : Answer.ok(fields("noop", request, standing))
                            .with("reason", "it " + told + " already")
                            .text("'" + key + "' " + told + " already\n");
        } else if (!around.host().now().wall().isBefore(request.expiresAt())) {
            return refused(
                    request,
                    "request '" + key + "' has expired at " + Iso.local(request.expiresAt())
                            + "; the call has to be made again to be asked for again. Nothing was changed");
        } else if (arguments.flag(Options.DRY_RUN)) {
            return Answer.ok(fields("would_update", request, null))
                    .text("would " + (approves ? "approve " : "deny ") + request.summary() + "\n");
        }
        return decideNow(approvals, request);
    }

    private Answer decideNow(Approvals approvals, ApprovalRequest request) {
        try {
            Decision made = approvals.decide(key, approves, ResolvedBy.of(who(), why));
            return Answer.ok(fields("updated", request, made))
                    .text((approves ? "approved " : "denied ") + request.summary()
                            + (approves ? "; it may be made once, until " + Iso.local(made.until()) : "") + "\n");
        } catch (IllegalStateException e) {
            // Another call decided first, or the request has expired.
            return refused(request, e.getMessage() + ". Nothing was changed");
        }
    }

    private static Answer refused(ApprovalRequest request, String why) {
        return Answer.no(ExitCode.CONFLICT, "CONFLICT", why).data(fields("noop", request, null));
    }

    private String who() {
        String given = arguments.find(BY);
        if (given != null) {
            return given;
        }
        String user = around.env().getOrDefault("USER", around.env().getOrDefault("LOGNAME", ""));
        return user.isEmpty() ? System.getProperty("user.name", "somebody") : user;
    }

    private static Map<String, @Nullable Object> fields(
            String effect, ApprovalRequest request, @Nullable Decision decision) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("effect", effect);
        fields.putAll(fields(request));
        if (decision != null) {
            fields.put("approved", decision.approved());
            fields.put("by", decision.by());
            fields.put("caller", decision.caller());
            fields.put("decided_at", Iso.text(decision.at()));
            fields.put("why", decision.why());
            fields.put("until", Iso.text(decision.until()));
        }
        return fields;
    }

    private static Map<String, Object> fields(ApprovalRequest request) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("key", request.key());
        fields.put("session", request.session());
        fields.put("tool", request.tool());
        fields.put("summary", request.summary());
        fields.put("call_key", request.callKey());
        fields.put("requested_at", Iso.text(request.requestedAt()));
        fields.put("expires_at", Iso.text(request.expiresAt()));
        return fields;
    }
}
