package dev.idem.agent.tool;

import dev.idem.JsonException;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.cache.Region;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.agent.vet.Mismatch;
import dev.idem.internal.json.CanonicalJson;
import dev.idem.spi.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tool of an agent: a name, an input, a policy and code. Immutable and thread-safe; one tool may serve many sessions.
 *
 * <pre>{@code
 * Tool lookup = Tool.named("lookup")
 *         .policy(Policy.read().retention(Duration.ofMinutes(5)))
 *         .run((call, in) -> customers.find(in.text("customer")));
 * }</pre>
 */
public final class Tool {
    private final ToolDeclaration declared;

    Tool(ToolDeclaration declared) {
        this.declared = declared;
    }

    /**
     * Begins the declaration of a tool. The name is a stable id: renaming it changes keys.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public static ToolBuilder<ToolInput> named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a tool needs a name");
        }
        return new ToolBuilder<>(new ToolDeclaration(name), Vetted::input);
    }

    /** A copy of this tool with further declarations: {@code tool.with(t -> t.policy(Policy.unset().passesKeyTo(STRIPE)))}. */
    public Tool with(UnaryOperator<ToolBuilder<ToolInput>> change) {
        return change.apply(new ToolBuilder<>(declared, Vetted::input)).build();
    }

    public String name() {
        return declared.name;
    }

    public String description() {
        return declared.description;
    }

    /** Whether this annotation declares the tool: its code is the annotated method. */
    boolean isDeclaredBy(Once annotation) {
        return annotation.equals(declared.annotation);
    }

    /** The side effect of the tool; WRITE by default. */
    public SideEffect sideEffect() {
        return declared.policy.sideEffect();
    }

    /** Whether the side effect was declared. */
    public boolean tagged() {
        return declared.policy.hasSideEffect();
    }

    /** Whether another run after any failure does no harm. */
    public boolean retrySafe() {
        return switch (sideEffect()) {
            case READ, IDEMPOTENT -> true;
            case WRITE -> declared.policy.passesKeyTo() != null;
            case DESTRUCTIVE -> false;
        };
    }

    /** Whether calls may run in parallel: only READs may. */
    public boolean parallelSafe() {
        return sideEffect() == SideEffect.READ;
    }

    public boolean destructive() {
        return sideEffect() == SideEffect.DESTRUCTIVE;
    }

    public Set<Tag> tags() {
        return declared.tags;
    }

    /** The fields that identify a call. */
    public Fields fields() {
        return declared.fields;
    }

    /** The schema that arguments are checked against. */
    public Optional<ArgumentSchema> schema() {
        return Optional.ofNullable(declared.schema);
    }

    public Optional<ToolProbe<Vetted>> probe() {
        return Optional.ofNullable(declared.probe);
    }

    /** The remote that its code hands the key to. */
    public Optional<RemoteKeys> remote() {
        return Optional.ofNullable(declared.policy.passesKeyTo());
    }

    /** Whether this result counts as an ambiguous failure. */
    public boolean doubts(@Nullable Object result) {
        return declared.doubtful.test(result);
    }

    /** How long the result of a READ is cached; empty where it is not cached, and for tools that are not a READ. */
    public Optional<Duration> cachedFor() {
        return sideEffect() == SideEffect.READ && declared.policy.hasRetention()
                ? Optional.of(declared.policy.retention().keep())
                : Optional.empty();
    }

    /** The shared regions whose results are out of date once this tool has run. */
    public Set<String> makesStale() {
        return declared.makesStale;
    }

    /** The cache region that sessions share; empty where each session has its own. */
    public Optional<String> sharedIn() {
        return Optional.ofNullable(declared.sharedIn);
    }

    /** How its calls are treated. */
    public Policy policy() {
        return declared.policy;
    }

    /** Whether a person must approve each call. */
    public boolean needsApproval() {
        return declared.policy.needsApproval();
    }

    /** The back-off and budget of its retries, where they were declared. */
    public Optional<Retry> retry() {
        return Optional.ofNullable(declared.retry);
    }

    /** Whether the session's read cache is kept after it ran. */
    public boolean keepsReads() {
        return declared.keepsReads || sideEffect() == SideEffect.READ;
    }

    /** The declared effect of a run. */
    public Effect effect() {
        if (declared.effect != null) {
            return declared.effect;
        }
        return destructive() ? Effect.DELETED : Effect.CREATED;
    }

    /** Its code, unless each call brings its own. */
    public Optional<ToolAction<Vetted>> action() {
        return Optional.ofNullable(declared.action);
    }

    /** The result of a shadow run; empty where none was declared. */
    public Optional<Object> stub(Vetted vetted) {
        return declared.stub == null ? Optional.empty() : Optional.ofNullable(declared.stub.apply(vetted));
    }

    /** The labels of the entry of a call. */
    public Map<String, String> labels(Vetted vetted) {
        if (declared.labels.isEmpty()) {
            return Map.of();
        }
        Map<String, String> labels = new TreeMap<>();
        declared.labels.forEach((name, of) -> {
            String value = of.apply(vetted);
            if (value != null) {
                labels.put(name, value);
            }
        });
        return labels;
    }

    /**
     * This tool, if its declaration is consistent: the fields that it names are arguments that it has, and only a cached
     * READ shares results.
     *
     * @throws IllegalArgumentException if it names a field that is not an argument: nothing would tell its calls apart
     */
    public Tool requireValid() {
        requireCacheable();
        ArgumentSchema schema = declared.schema;
        declared.fields.requireNamesOf(declared.name, schema == null ? List.of() : schema.fields());
        return this;
    }

    Tool requireCacheable() {
        Duration cached = cachedFor().orElse(null);
        if (declared.sharedIn != null && cached == null) {
            throw new IllegalArgumentException("tool '" + name() + "' shares its results in '" + declared.sharedIn
                    + "', and is not cached: give it policy(Policy.read().retention(...)) with the time for which a "
                    + "result is good, or remove sharedIn");
        } else if (cached != null && cached.compareTo(Region.LONGEST) > 0) {
            throw new IllegalArgumentException("tool '" + name() + "' is a READ with a retention of " + cached
                    + ": a READ is cached for at most " + Region.LONGEST.toDays() + " days");
        }
        return this;
    }

    /** Checks arguments that a model gave as JSON text. */
    public Vetting vet(String json) {
        try {
            return vet(ToolInput.parse(json));
        } catch (JsonException e) {
            return unfit(List.of("they are not one JSON object: " + e.getMessage()));
        }
    }

    /** Checks arguments. */
    public Vetting vet(Map<String, ?> arguments) {
        try {
            return vet(ToolInput.of(arguments));
        } catch (JsonException e) {
            return unfit(List.of("they have no JSON form: " + e.getMessage()));
        }
    }

    /** Checks arguments. */
    public Vetting vet(ToolInput input) {
        requireValid();
        ArgumentSchema schema = declared.schema;
        List<Mismatch> mismatches = schema == null ? List.of() : schema.check(input.fields());
        if (!mismatches.isEmpty()) {
            return unfit(mismatches.stream().map(Mismatch::forModel).toList());
        }
        try {
            Object bound = declared.binding.bind(input);
            Map<String, @Nullable Object> seen = declared.binding.seen(input, bound);
            // Arguments without a canonical form must be refused before the claim.
            CanonicalJson.plainBytes(seen);
            Map<String, @Nullable Object> identity = declared.fields.identityOf(seen);
            if (sideEffect() != SideEffect.READ && declared.fields.tellNothing(identity)) {
                return unfit(List.of("nothing tells this call from another; give at least one of "
                        + String.join(", ", new TreeSet<>(declared.fields.identity()))));
            }
            return new Vetting.Fits(new Vetted(input, bound, seen, identity, declared.fields.contentOf(seen)));
        } catch (JsonException e) {
            return unfit(List.of(String.valueOf(e.getMessage())));
        }
    }

    private Vetting unfit(List<String> wrong) {
        String example = schema().map(known -> " Arguments that fit look like this: " + known.example() + ".")
                .orElse("");
        return new Vetting.Unfit("'" + name() + "' was not called, since its arguments do not fit: "
                + wrong.stream().collect(Collectors.joining("; ")) + "." + example
                + " Correct them and call it again.");
    }

    @Override
    public String toString() {
        return "Tool[" + name() + " " + sideEffect().word() + "]";
    }
}
