package dev.idem.agent.tool;

import dev.idem.agent.retry.Retry;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.call.Classifier;
import dev.idem.call.RemoteKeys;
import dev.idem.call.Reworded;
import dev.idem.call.SideEffect;
import dev.idem.entry.Effect;
import dev.idem.entry.Retention;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is declared about a tool. Written only while a copy is being made; shared and never changed after
 * that.
 */
final class Declaration implements Cloneable {
    final String name;
    String description = "";
    Binding binding = Binding.RAW;

    @Nullable
    ArgumentSchema schema;

    @Nullable
    SideEffect sideEffect;

    Set<Tag> tags = Set.of();
    Fields fields = Fields.ALL;

    @Nullable
    ToolProbe<Vetted> probe;

    @Nullable
    RemoteKeys remote;

    Classifier classifier = thrown -> Classifier.Judgement.UNDECIDED;
    Predicate<@Nullable Object> doubtful = result -> false;

    @Nullable
    Duration ttl;

    @Nullable
    String sharedIn;

    @Nullable
    Retention retention;

    @Nullable
    Duration timeLimit;

    @Nullable
    Duration lease;

    @Nullable
    Duration wait;

    Reworded reworded = Reworded.WARN;
    Map<String, Function<Vetted, @Nullable String>> labels = Map.of();
    boolean approval;
    boolean keepsReads;

    @Nullable
    Retry retry;

    @Nullable
    Effect effect;

    @Nullable
    Function<Vetted, @Nullable Object> stub;

    @Nullable
    ToolAction<Vetted> action;

    Declaration(String name) {
        this.name = name;
    }

    /** A copy that may be written until it is handed on. */
    Declaration copy() {
        try {
            return (Declaration) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
