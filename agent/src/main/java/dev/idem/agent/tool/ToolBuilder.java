package dev.idem.agent.tool;

import dev.idem.Classifier;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.Reworded;
import dev.idem.SideEffect;
import dev.idem.TypeRef;
import dev.idem.agent.internal.GivenIds;
import dev.idem.agent.provider.KeyPlace;
import dev.idem.agent.provider.Provider;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.spi.Effect;
import dev.idem.spi.Retention;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A tool, as far as it has been declared. Immutable: every method gives a new one.
 *
 * @param <I> what its code takes as input
 */
public final class ToolBuilder<I> {
    private final Declaration declared;
    private final Function<Vetted, I> view;

    ToolBuilder(Declaration declared, Function<Vetted, I> view) {
        this.declared = declared;
        this.view = view;
    }

    /** What it does, for the model. */
    public ToolBuilder<I> description(String description) {
        return with(copy -> copy.description = description);
    }

    /**
     * The type its code takes: a record, or a map. Its JSON Schema is what arguments are checked against, unless
     * another is given.
     */
    public <J> ToolBuilder<J> input(Class<J> type) {
        return bound(type);
    }

    /** The type its code takes, with its arguments. */
    public <J> ToolBuilder<J> input(TypeRef<J> type) {
        return bound(type.type());
    }

    @SuppressWarnings("unchecked") // what is bound to J is a J
    private <J> ToolBuilder<J> bound(Type type) {
        Declaration copy = declared.copy();
        copy.binding = Binding.to(type);
        copy.schema = ArgumentSchema.of(type);
        return new ToolBuilder<>(copy, vetted -> (J) vetted.bound());
    }

    /** The JSON Schema that arguments are checked against, where it is not to be derived from the input type. */
    public ToolBuilder<I> schema(String jsonSchema) {
        return schema(ArgumentSchema.parse(jsonSchema));
    }

    /** The JSON Schema that arguments are checked against. */
    public ToolBuilder<I> schema(ArgumentSchema schema) {
        return with(copy -> copy.schema = schema);
    }

    /**
     * What it does to the world, which decides everything else; {@link SideEffect#WRITE} unless told. Of several
     * declarations the strictest counts: destructive wins over everything.
     */
    public ToolBuilder<I> sideEffect(SideEffect sideEffect) {
        return policy(Policy.of(sideEffect));
    }

    /** How its calls are treated. What the policy sets wins over what was set before, as {@link Policy#over} says. */
    public ToolBuilder<I> policy(Policy policy) {
        return with(copy -> copy.policy = policy.over(copy.policy));
    }

    /** Tags that describe it. */
    public ToolBuilder<I> tags(Tag... tags) {
        return with(copy -> {
            Set<Tag> all = EnumSet.noneOf(Tag.class);
            all.addAll(copy.tags);
            all.addAll(Set.of(tags));
            copy.tags = Set.copyOf(all);
        });
    }

    /** The fields that make a call this one; what is not named here is content. */
    public ToolBuilder<I> identity(String... fields) {
        return with(copy -> copy.fields = new Fields(Set.of(fields), copy.fields.content(), copy.fields.ignored()));
    }

    /** The fields that a model may reword without making it another call. */
    public ToolBuilder<I> content(String... fields) {
        return with(copy -> copy.fields = new Fields(copy.fields.identity(), Set.of(fields), copy.fields.ignored()));
    }

    /** Fields that change with every try and mean nothing, such as a timestamp. */
    public ToolBuilder<I> ignore(String... fields) {
        return with(copy -> copy.fields = new Fields(copy.fields.identity(), copy.fields.content(), Set.of(fields)));
    }

    /** Asks the outside world about a call in doubt. */
    public ToolBuilder<I> probe(ToolProbe<? super I> probe) {
        return with(copy -> copy.probe = (doubted, vetted) -> probe.ask(doubted, view.apply(vetted)));
    }

    /**
     * Its code hands the key to a remote that deduplicates by it.
     *
     * @throws IllegalArgumentException for a {@link Provider} that is known to take no keys
     */
    public ToolBuilder<I> passesKeyTo(RemoteKeys remote) {
        for (Provider provider : Provider.known()) {
            if (provider.place() == KeyPlace.NONE && provider.name().equalsIgnoreCase(remote.name())) {
                throw new IllegalArgumentException("tool '" + name() + "' can't pass its key to " + provider.name()
                        + ", which takes none. Leave passesKeyTo out, and give the tool a probe");
            }
        }
        return treated(declared.policy.passesKeyTo(remote));
    }

    /** Exceptions of these kinds mean that nothing happened. */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to be read only
    public final ToolBuilder<I> definiteOn(Class<? extends Throwable>... kinds) {
        return treated(declared.policy.definiteOn(kinds));
    }

    /** Judges exceptions before what was declared so far does. */
    public ToolBuilder<I> classify(Classifier classifier) {
        return treated(declared.policy.classify(classifier));
    }

    /**
     * Results that leave open whether it took effect, such as the text of a client that catches its time-outs:
     * {@code doubtIf("timed out"::equals)}. They count as an exception that proves nothing.
     *
     * @param condition is given what the tool's code returned; text where a framework runs it
     */
    public ToolBuilder<I> doubtIf(Predicate<@Nullable Object> condition) {
        return with(copy -> copy.doubtful = copy.doubtful.or(condition));
    }

    /**
     * How long the result of a READ may be given again; it runs with every call unless told. Refused for tools of other
     * kinds: their results answer duplicates for as long as their {@link #retention} says.
     */
    public ToolBuilder<I> ttl(Duration ttl) {
        return with(copy -> copy.ttl = ttl);
    }

    /**
     * Shares the results that {@link #ttl} keeps with all sessions that use the same cache, instead of keeping them for
     * each session by itself. Only for a READ whose result depends on its arguments alone, and not on who asks.
     *
     * @param region names what is shared, such as {@code catalogue}: a session that writes clears the regions it reads
     */
    public ToolBuilder<I> sharedIn(String region) {
        if (!GivenIds.isScope(region)) {
            throw new IllegalArgumentException(
                    "tool '" + name() + "': a region has a name of 1 to 255 characters, without control characters");
        }
        return with(copy -> copy.sharedIn = region);
    }

    /** How long its results answer duplicates; as long as the session's ledger keeps them unless told. */
    public ToolBuilder<I> retention(Duration keep) {
        return treated(declared.policy.retention(keep));
    }

    /** How long its results answer duplicates, and how long a tombstone stands after that. */
    public ToolBuilder<I> retention(Retention retention) {
        return treated(declared.policy.retention(retention));
    }

    /** How long its code may act. */
    public ToolBuilder<I> timeLimit(Duration limit) {
        return treated(declared.policy.timeLimit(limit));
    }

    /** How long its ticket is trusted without a heartbeat. */
    public ToolBuilder<I> lease(Duration lease) {
        return treated(declared.policy.lease(lease));
    }

    /** How long a duplicate waits for a call that runs. */
    public ToolBuilder<I> waitFor(Duration wait) {
        return treated(declared.policy.waitFor(wait));
    }

    /** What happens to a duplicate with the same identity and other content; a warning unless told. */
    public ToolBuilder<I> onReworded(Reworded policy) {
        return treated(declared.policy.onReworded(policy));
    }

    /** Fields whose values are put on the entry, to search for; they must not be secret. */
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

    /** A searchable, non-secret name and value on the entry; none where the value is null. */
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

    /** How its failed calls are tried again, as far as its side effect allows; as the session does unless told. */
    public ToolBuilder<I> retry(Retry retry) {
        return with(copy -> copy.retry = retry);
    }

    /** What it changes no READ of its session would see: what these have read stays good after it ran. */
    public ToolBuilder<I> keepsReads() {
        return with(copy -> copy.keepsReads = true);
    }

    /** What an annotation says, as it stands on the method that a framework calls. */
    public ToolBuilder<I> guarded(Guarded annotation) {
        return MethodTools.declared(annotation, this);
    }

    /** A person must approve each call before it runs. */
    public ToolBuilder<I> approval() {
        return treated(declared.policy.approval());
    }

    /**
     * What it does when it runs, for what a shadow run says that it would have done; {@link Effect#CREATED} unless
     * told, {@link Effect#DELETED} where it is destructive.
     */
    public ToolBuilder<I> effect(Effect effect) {
        return with(copy -> copy.effect = effect);
    }

    /** What a shadow run answers with, where the plain "would have" is not enough for the model to go on. */
    public ToolBuilder<I> stub(Function<? super I, @Nullable Object> stub) {
        return with(copy -> copy.stub = vetted -> stub.apply(view.apply(vetted)));
    }

    /**
     * The tool, with the code that acts.
     *
     * @throws IllegalArgumentException when it has a {@link #ttl} and is no READ, or is shared and has none
     */
    public Tool run(ToolAction<? super I> action) {
        Declaration copy = declared.copy();
        copy.action = (call, vetted) -> action.run(call, view.apply(vetted));
        return new Tool(copy).requireCacheable();
    }

    /** The tool without code: each call brings its own, as a framework's adapter does. */
    public Tool build() {
        return new Tool(declared.copy());
    }

    String name() {
        return declared.name;
    }

    private ToolBuilder<I> treated(Policy policy) {
        return with(copy -> copy.policy = policy);
    }

    private ToolBuilder<I> with(Consumer<Declaration> change) {
        Declaration copy = declared.copy();
        change.accept(copy);
        return new ToolBuilder<>(copy, view);
    }
}
