package dev.idem.agent.session;

import dev.idem.Entry;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolInput;
import dev.idem.agent.tool.Vetted;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One call of a tool by a model or a framework. Immutable and thread-safe: every method returns a new call. */
public final class ToolCall implements Cloneable {
    final String name;

    @Nullable
    Tool tool;

    @Nullable
    String json;

    Map<String, ?> arguments = Map.of();

    int occurrence = 1;

    @Nullable
    String key;

    @Nullable
    ToolAction<Vetted> action;

    Runnable onWait = () -> {};

    Predicate<Entry> resumes = doubted -> false;

    private ToolCall(String name) {
        this.name = name;
    }

    /** A call of the session's tool with this name, with arguments as JSON text. */
    public static ToolCall of(String name, String json) {
        return new ToolCall(name).with(copy -> copy.json = json);
    }

    /** A call of the session's tool with this name. */
    public static ToolCall of(String name, Map<String, ?> arguments) {
        return new ToolCall(name).with(copy -> copy.arguments = arguments);
    }

    /** A call of this tool, which the session need not have, with arguments as JSON text. */
    public static ToolCall of(Tool tool, String json) {
        return of(tool.name(), json).with(copy -> copy.tool = tool);
    }

    /** A call of this tool, which the session need not have. */
    public static ToolCall of(Tool tool, Map<String, ?> arguments) {
        return of(tool.name(), arguments).with(copy -> copy.tool = tool);
    }

    /**
     * Marks a deliberate repeat: the second, third … time that the same call is meant; 1 by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public ToolCall occurrence(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("occurrences are counted from 1, not " + number);
        }
        return with(copy -> copy.occurrence = number);
    }

    /**
     * Sets a key of the caller; by default the key is derived from the identity. Do not use a model's tool call id: it
     * changes when the model plans again.
     */
    public ToolCall key(String given) {
        return with(copy -> copy.key = given);
    }

    /** Sets the code of this call, instead of the tool's own. Adapters use it, since the framework runs the tool. */
    public ToolCall action(ToolAction<ToolInput> code) {
        return with(copy -> copy.action = (call, vetted) -> code.run(call, vetted.input()));
    }

    /**
     * Sets code that runs before the call waits: for the same call that runs, or until a probe may be asked. It runs in the
     * thread of the call, once for each wait. A call that waits for the cached result of a READ does not run it.
     */
    public ToolCall onWait(Runnable code) {
        return with(copy -> copy.onWait = code);
    }

    /**
     * Tells whether this call is the next round of the attempt that left an entry in doubt, such as the call that brings
     * the input which a tool has asked for. Then the call runs, also where its policy leaves doubts to a person, and needs no
     * further approval. Of several calls that bring one round, one runs. The doubt stays until a round completes. Adapters
     * use it.
     *
     * @param round must not change anything: it may be asked several times
     */
    public ToolCall resumes(Predicate<Entry> round) {
        return with(copy -> copy.resumes = round);
    }

    private ToolCall with(Consumer<ToolCall> change) {
        try {
            ToolCall copy = (ToolCall) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return "ToolCall[" + name + (occurrence == 1 ? "" : ", occurrence " + occurrence) + "]";
    }
}
