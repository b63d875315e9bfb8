package dev.idem.agent.check;

import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.tool.Fields;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.internal.key.VolatileFields;
import dev.idem.spi.Retention;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of one tool. */
final class Checks {
    private static final String RANDOM_UUID = "0b0a6c1e-3f1d-4a9e-8c57-2f6f0a1b2c3d";
    private static final Set<String> GLOBAL = Set.of("", "default", "global", "session", "agent", "test");

    private final Checked checked;
    private final Tool tool;
    private final List<Finding> findings = new ArrayList<>();

    private Checks(Checked checked) {
        this.checked = checked;
        this.tool = checked.tool();
    }

    static List<Finding> of(Checked checked) {
        Checks checks = new Checks(checked);
        checks.tags();
        checks.recovery();
        checks.identity();
        checks.scope();
        checks.retention();
        return checks.findings;
    }

    private void tags() {
        boolean acts = Names.acts(tool.name());
        if (acts && !tool.tagged()) {
            add(
                    Rule.UNTAGGED_ACTION,
                    "its name says that it acts, but its side effect is not declared; it counts as a " + "WRITE",
                    "tag it: .policy(Policy.write()), or @Once(SideEffect.WRITE); IDEMPOTENT where running it twice "
                            + "does no harm");
        } else if (acts && tool.sideEffect() == SideEffect.READ) {
            add(
                    Rule.READ_THAT_ACTS,
                    "it is tagged READ, and its name says that it acts: it would run with every call and every retry",
                    "tag it WRITE or IDEMPOTENT, or rename it");
        }
        if (tool.destructive() && !tool.needsApproval()) {
            add(
                    Rule.DESTRUCTIVE_WITHOUT_APPROVAL,
                    "it is destructive, and runs without an approval",
                    "add .policy(Policy.destructive().approval()), or @Once(approval = true)");
        }
    }

    private void recovery() {
        if (tool.sideEffect() == SideEffect.WRITE
                && tool.probe().isEmpty()
                && tool.remote().isEmpty()
                && (tool.tagged() || Names.acts(tool.name()))) {
            add(
                    Rule.WRITE_WITHOUT_RECOVERY,
                    "after a crash or a lost response it is unknown whether it ran, and a person has to find out",
                    "hand call.key() to the remote and declare .policy(Policy.write().passesKeyTo(...)), or ask the "
                            + "remote with .probe(...)");
        }
    }

    private void identity() {
        if (tool.sideEffect() == SideEffect.READ) {
            return;
        }
        Fields fields = tool.fields();
        ArgumentSchema schema = tool.schema().orElse(null);
        List<String> known = schema == null ? List.of() : schema.fields();
        Set<String> named = new LinkedHashSet<>(fields.identity());
        named.addAll(fields.content());
        named.addAll(fields.ignored());
        if (!known.isEmpty()) {
            named.stream()
                    .filter(name -> !known.contains(name))
                    .forEach(name -> add(
                            Rule.UNKNOWN_FIELD,
                            "field '" + name + "' is declared, and the input has no such field; it has " + known,
                            "correct the name"));
        }
        Set<String> identity = new LinkedHashSet<>(fields.identity().isEmpty() ? known : fields.identity());
        identity.removeAll(fields.content());
        identity.removeAll(fields.ignored());
        identity.forEach(name -> identityField(name, fields, schema));
    }

    private void identityField(String name, Fields fields, @Nullable ArgumentSchema schema) {
        if (isVolatile(name, schema)) {
            add(
                    Rule.VOLATILE_IDENTITY,
                    "field '" + name + "' changes with every try and is part of the key, so a retry would run again",
                    "leave it out: .ignore(\"" + name + "\")");
        } else if (fields.identity().isEmpty() && Names.isWorded(name) && known(schema) > 1) {
            add(
                    Rule.REWORDED_IDENTITY,
                    "field '" + name + "' is text that a model rewords, and is part of the key, so a reworded repeat "
                            + "would run again",
                    "name the fields that make it this call with .identity(...), or this one as .content(\"" + name
                            + "\")");
        }
    }

    private static int known(@Nullable ArgumentSchema schema) {
        return schema == null ? 0 : schema.fields().size();
    }

    private static boolean isVolatile(String name, @Nullable ArgumentSchema schema) {
        Object sample = "x";
        if (schema != null
                && schema.json().get("properties") instanceof Map<?, ?> all
                && all.get(name) instanceof Map<?, ?> property
                && "uuid".equals(property.get("format"))) {
            sample = RANDOM_UUID;
        }
        return !VolatileFields.warnings(Map.of(name, sample)).isEmpty();
    }

    private void scope() {
        String scope = checked.scope();
        if (scope != null && tool.sideEffect() != SideEffect.READ && GLOBAL.contains(scope)) {
            add(
                    Rule.GLOBAL_SCOPE,
                    scope.isEmpty()
                            ? "its calls are in a session without an id, so a restart would run them again"
                            : "its calls are in the scope '" + scope + "', which all tasks share: one would get the "
                                    + "other's result",
                    "give each task its own id: Session.of(idem, \"order-flow-abc123\")");
        }
    }

    private void retention() {
        RemoteKeys remote = tool.remote().orElse(null);
        if (remote == null || tool.probe().isPresent()) {
            return;
        }
        Retention ours = tool.policy().retention();
        if (ours.keep().compareTo(remote.retention()) > 0) {
            findings.add(checked.finding(
                    Rule.RETENTION_OUTLIVES_REMOTE,
                    tool.policy().hasRetention() ? Severity.WARNING : Severity.NOTE,
                    "its results are kept for " + ours.keep() + ", and " + remote.name() + " remembers keys for "
                            + remote.retention() + ": a call that is in doubt for longer waits for a person",
                    "add a .probe(...), or a policy with a retention of at most " + remote.retention()));
        }
    }

    private void add(Rule rule, String message, String fix) {
        findings.add(checked.finding(rule, message, fix));
    }
}
