package dev.idem.agent.tool;

import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.TypeRef;
import dev.idem.agent.internal.GivenIds;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.spi.Effect;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Declares a tool. Immutable and thread-safe: every method returns a new builder.
 *
 * <pre>{@code
 * Tool charge = Tool.named("charge")
 *         .input(Charge.class)
 *         .identity("customer", "cents")
 *         .policy(Policy.write().passesKeyTo(STRIPE))
 *         .run((call, in) -> payments.charge(in.cents(), call.key()));
 * }</pre>
 *
 * @param <I> the type that the tool's code takes as input
 */
public final class ToolBuilder<I> {
    private final ToolDeclaration declared;
    private final Function<Vetted, I> view;

    ToolBuilder(ToolDeclaration declared, Function<Vetted, I> view) {
        this.declared = declared;
        this.view = view;
    }

    /** Describes the tool to the model; empty by default. */
    public ToolBuilder<I> description(String description) {
        return with(copy -> copy.description = description);
    }

    /**
     * Sets the type that the tool's code takes: a record, or a map. Arguments are checked against the JSON Schema of this
     * type, unless {@link #schema(String)} gives another.
     */
    public <J> ToolBuilder<J> input(Class<J> type) {
        return bound(type);
    }

    /** Sets the type that the tool's code takes, with its type arguments. */
    public <J> ToolBuilder<J> input(TypeRef<J> type) {
        return bound(type.type());
    }

    @SuppressWarnings("unchecked") // the binding returns a J
    private <J> ToolBuilder<J> bound(Type type) {
        ToolDeclaration copy = declared.copy();
        copy.binding = Binding.to(type);
        copy.schema = ArgumentSchema.of(type);
        return new ToolBuilder<>(copy, vetted -> (J) vetted.bound());
    }

    /** Sets the JSON Schema that arguments are checked against; the schema of the input type by default. */
    public ToolBuilder<I> schema(String jsonSchema) {
        return schema(ArgumentSchema.parse(jsonSchema));
    }

    /** Sets the JSON Schema that arguments are checked against. */
    public ToolBuilder<I> schema(ArgumentSchema schema) {
        return with(copy -> copy.schema = schema);
    }

    /**
     * Sets how calls are treated: side effect, time limit, retention, remote key, approval. The policy is laid over the
     * earlier ones, as {@link Policy#over} says. A READ is cached for as long as its retention, and not by default.
     *
     * @throws IllegalArgumentException if the policy passes the key to a {@link Provider} that takes no keys
     */
    public ToolBuilder<I> policy(Policy policy) {
        RemoteKeys remote = policy.passesKeyTo();
        if (remote != null) {
            Provider.requireTakesKeys(remote.name(), "tool '" + name() + "'");
        }
        return with(copy -> copy.policy = policy.over(copy.policy));
    }

    /** Adds tags that describe the tool. */
    public ToolBuilder<I> tags(Tag... tags) {
        return with(copy -> {
            Set<Tag> all = EnumSet.noneOf(Tag.class);
            all.addAll(copy.tags);
            all.addAll(Arrays.asList(tags));
            copy.tags = Set.copyOf(all);
        });
    }

    /** Names the fields that identify a call; all other fields are content. By default all fields identify it. */
    public ToolBuilder<I> identity(String... fields) {
        return with(copy -> copy.fields = new Fields(distinct(fields), copy.fields.content(), copy.fields.ignored()));
    }

    /** Names the fields that a model may reword without making it another call. */
    public ToolBuilder<I> content(String... fields) {
        return with(copy -> copy.fields = new Fields(copy.fields.identity(), distinct(fields), copy.fields.ignored()));
    }

    /** Names fields that change with every try and mean nothing, such as a timestamp. */
    public ToolBuilder<I> ignore(String... fields) {
        return with(copy -> copy.fields = new Fields(copy.fields.identity(), copy.fields.content(), distinct(fields)));
    }

    /** Sets the probe that asks the outside world about a call in doubt. */
    public ToolBuilder<I> probe(ToolProbe<? super I> probe) {
        return with(copy -> copy.probe = (doubted, vetted) -> probe.ask(doubted, view.apply(vetted)));
    }

    /**
     * Declares results that do not tell whether the tool took effect, such as the text of a client that catches its
     * time-outs: {@code doubtIf("timed out"::equals)}. Such a result counts as an ambiguous failure.
     *
     * @param condition gets the value that the tool's code returned; text where a framework runs the tool
     */
    public ToolBuilder<I> doubtIf(Predicate<@Nullable Object> condition) {
        return with(copy -> copy.doubtful = copy.doubtful.or(condition));
    }

    /**
     * Shares the cached results of a READ between all sessions that use the same cache. Use it only for a READ whose
     * result depends on its arguments alone, and not on the caller.
     *
     * @param region names the shared results, such as {@code catalogue}; a session that writes clears the regions that
     *     it reads
     * @throws IllegalArgumentException if the name is empty, longer than 255 characters or has control characters
     */
    public ToolBuilder<I> sharedIn(String region) {
        requireRegion(region);
        return with(copy -> copy.sharedIn = region);
    }

    /**
     * Names the shared regions whose results are out of date once this tool has run, whether or not its session has tools
     * that read them. Those that the session's tools declare are cleared without this.
     *
     * @throws IllegalArgumentException if a name is empty, longer than 255 characters or has control characters
     */
    public ToolBuilder<I> makesStale(String... regions) {
        for (String region : regions) {
            requireRegion(region);
        }
        return with(copy -> copy.makesStale = distinct(regions));
    }

    private static Set<String> distinct(String... names) {
        return Set.copyOf(Arrays.asList(names));
    }

    private void requireRegion(String region) {
        if (!GivenIds.isScope(region)) {
            throw new IllegalArgumentException(
                    "tool '" + name() + "': a region has a name of 1 to 255 characters, without control characters");
        }
    }

    /** Names fields whose values become labels of the entry. Labels are searchable and must not be secret. */
    public ToolBuilder<I> labels(String... fields) {
        ToolBuilder<I> labelled = this;
        for (String field : fields) {
            labelled = labelled.labelled(field, vetted -> {
                Object value = vetted.arguments().get(field);
                return value == null ? null : value.toString();
            });
        }
        return labelled;
    }

    /** Adds a searchable label to the entry, which must not be secret; none if the function returns null. */
    public ToolBuilder<I> label(String name, Function<? super I, @Nullable String> value) {
        return labelled(name, vetted -> value.apply(view.apply(vetted)));
    }

    private ToolBuilder<I> labelled(String name, Function<Vetted, @Nullable String> value) {
        return with(copy -> {
            Map<String, Function<Vetted, @Nullable String>> labels = new LinkedHashMap<>(copy.labels);
            labels.put(name, value);
            copy.labels = labels;
        });
    }

    /**
     * Sets the back-off, budget and classification of retries; those of the session by default. The side effect decides
     * whether there are retries at all, and {@link Policy#retry(int)} how many.
     */
    public ToolBuilder<I> retry(Retry retry) {
        return with(copy -> copy.retry = retry);
    }

    /** Keeps the session's read cache after this tool has run. By default a tool that is not a READ clears it. */
    public ToolBuilder<I> keepsReads() {
        return with(copy -> copy.keepsReads = true);
    }

    /**
     * Adds the declaration of an annotation, which an adapter has found on the method that a framework calls.
     *
     * @throws IllegalArgumentException if the annotation has a text that is not a policy
     */
    public ToolBuilder<I> once(Once annotation) {
        return OnceReader.declared(annotation, this);
    }

    /**
     * Sets the effect that a shadow run reports; {@link Effect#CREATED} by default, {@link Effect#DELETED} for a
     * destructive tool.
     */
    public ToolBuilder<I> effect(Effect effect) {
        return with(copy -> copy.effect = effect);
    }

    /** Sets the result that a shadow run gives to the model. */
    public ToolBuilder<I> stub(Function<? super I, @Nullable Object> stub) {
        return with(copy -> copy.stub = vetted -> stub.apply(view.apply(vetted)));
    }

    /**
     * Builds the tool with the code that acts.
     *
     * @throws IllegalArgumentException if it shares results in a region and is not a cached READ
     */
    public Tool run(ToolAction<? super I> action) {
        ToolDeclaration copy = declared.copy();
        copy.action = (call, vetted) -> action.run(call, view.apply(vetted));
        return new Tool(copy).requireCacheable();
    }

    /** Builds the tool without code. Each call brings its own, as the adapter of a framework does. */
    public Tool build() {
        return new Tool(declared.copy());
    }

    String name() {
        return declared.name;
    }

    ToolBuilder<I> annotated(Once annotation) {
        return with(copy -> copy.annotation = annotation);
    }

    private ToolBuilder<I> with(Consumer<ToolDeclaration> change) {
        ToolDeclaration copy = declared.copy();
        change.accept(copy);
        return new ToolBuilder<>(copy, view);
    }
}
