package dev.idem.agent.session;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Key;
import dev.idem.Operation;
import dev.idem.Probe.Happened;
import dev.idem.Probe.NotExecuted;
import dev.idem.Probe.Verdict;
import dev.idem.SideEffect;
import dev.idem.agent.internal.GivenIds;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolProbe;
import dev.idem.agent.tool.Vetted;
import dev.idem.agent.tool.Vetting;
import dev.idem.internal.key.Content;
import dev.idem.internal.key.Identity;
import dev.idem.spi.Labels;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns vetted calls into operations. Their key is derived from session, tool and identity. */
final class Preparing {
    private final Idem idem;
    private final String session;
    private final String scope;

    Preparing(Idem idem, String session, String scope) {
        this.idem = idem;
        this.session = session;
        this.scope = scope;
    }

    Prepared prepare(Tool tool, Vetted vetted, ToolCall call) {
        String given = call.key;
        Identity identity = Identity.of(vetted.identity());
        String key = given == null
                ? identity.key(scope, tool.name(), call.occurrence)
                : call.occurrence == 1 ? given : given + "#" + call.occurrence;
        Operation<@Nullable Object> operation =
                declared(tool, vetted).identity(identity).occurrence(call.occurrence);
        operation = given == null ? operation : operation.key(given);
        if (vetted.content() != null) {
            operation = operation.content(Content.of(vetted.content()));
        }
        return new Prepared(
                tool,
                vetted,
                new Address(scope, tool.name(), key),
                operation,
                readKey(tool, vetted, call, key),
                call.onWait,
                call.resumes);
    }

    /**
     * The cache compares no fingerprints, so a given key, or one that leaves out content, would not do. Shared results
     * have the region in their key instead of the session; no session has the empty scope.
     */
    private String readKey(Tool tool, Vetted vetted, ToolCall call, String key) {
        String region = tool.sharedIn().orElse(null);
        boolean complete = call.key == null && vetted.content() == null && region == null;
        if (tool.sideEffect() != SideEffect.READ || complete) {
            return key;
        }
        Map<String, @Nullable Object> seen = new HashMap<>();
        seen.put("identity", vetted.identity());
        seen.put("content", vetted.content());
        if (region != null) {
            seen.put("region", region);
        }
        return Key.derive(region == null ? scope : "", tool.name(), seen, call.occurrence)
                .value();
    }

    private Operation<@Nullable Object> declared(Tool tool, Vetted vetted) {
        Operation<@Nullable Object> operation =
                idem.operation(tool.name()).scope(scope).policy(tool.policy().withoutSessionOptions());
        operation = scope.equals(session) ? operation : operation.label(GivenIds.LABEL, Labels.value(session));
        for (Map.Entry<String, String> label : tool.labels(vetted).entrySet()) {
            operation = operation.label(label.getKey(), label.getValue());
        }
        ToolProbe<Vetted> probe = tool.probe().orElse(null);
        return probe == null || tool.sideEffect() == SideEffect.READ
                ? operation
                : operation.probe(doubted -> asObject(probe.ask(doubted, fresh(tool, vetted))));
    }

    /**
     * The arguments for one try or probe, bound anew: code may change the objects that it gets, and the next try must not
     * see that. Where binding gives other values each time, the arguments that the key was made from.
     */
    static Vetted fresh(Tool tool, Vetted vetted) {
        return tool.vet(vetted.input()) instanceof Vetting.Fits again
                        && again.vetted().arguments().equals(vetted.arguments())
                ? again.vetted()
                : vetted;
    }

    /** A probe's verdict, with the type that a tool's operation has. */
    private static Verdict<@Nullable Object> asObject(Verdict<? extends @Nullable Object> verdict) {
        if (verdict instanceof Happened<? extends @Nullable Object> happened) {
            return Verdict.happened(happened.result());
        }
        return verdict instanceof NotExecuted<?> ? Verdict.notExecuted() : Verdict.unknown();
    }
}
