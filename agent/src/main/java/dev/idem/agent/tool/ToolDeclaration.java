package dev.idem.agent.tool;

import dev.idem.Policy;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.vet.ArgumentSchema;
import dev.idem.spi.Effect;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is declared about a tool. Written only while a copy is being made; shared and never changed after
 * that.
 */
final class ToolDeclaration implements Cloneable {
    final String name;
    String description = "";
    Binding binding = Binding.RAW;

    @Nullable
    ArgumentSchema schema;

    Policy policy = Policy.unset();
    Set<Tag> tags = Set.of();
    Fields fields = Fields.ALL;

    @Nullable
    ToolProbe<Vetted> probe;

    Predicate<@Nullable Object> doubtful = result -> false;

    @Nullable
    String sharedIn;

    Map<String, Function<Vetted, @Nullable String>> labels = Map.of();
    boolean keepsReads;
    Set<String> makesStale = Set.of();

    @Nullable
    Retry retry;

    @Nullable
    Effect effect;

    @Nullable
    Function<Vetted, @Nullable Object> stub;

    @Nullable
    ToolAction<Vetted> action;

    /** The annotation of the method that is the tool, if it is one. */
    @Nullable
    Once annotation;

    ToolDeclaration(String name) {
        this.name = name;
    }

    /** A copy that may be written until it is handed on. */
    ToolDeclaration copy() {
        try {
            return (ToolDeclaration) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
