package dev.idem.agent.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Tools by their names. Immutable and thread-safe.
 *
 * <pre>{@code
 * Toolbox tools = Toolbox.in(new Shop()).and(charge);
 * }</pre>
 */
public final class Toolbox {
    private final Map<String, Tool> tools;

    private Toolbox(Collection<Tool> tools) {
        Map<String, Tool> named = new LinkedHashMap<>();
        for (Tool tool : tools) {
            if (named.putIfAbsent(tool.name(), tool) != null) {
                throw new IllegalArgumentException("there are two tools named '" + tool.name()
                        + "'; a name is part of the key, so give each its own");
            }
        }
        this.tools = named;
    }

    /**
     * A toolbox with these tools.
     *
     * @throws IllegalArgumentException if two of them have the same name
     */
    public static Toolbox of(Tool... tools) {
        return new Toolbox(List.of(tools));
    }

    /**
     * A toolbox with the {@link Once} methods of these objects.
     *
     * @throws IllegalArgumentException if an object has no such method
     */
    public static Toolbox in(Object... objects) {
        List<Tool> found = new ArrayList<>();
        for (Object object : objects) {
            List<Tool> tools = MethodTools.of(object);
            if (tools.isEmpty()) {
                throw new IllegalArgumentException(
                        object.getClass().getName() + " has no method with @Once, so it has no tools");
            }
            found.addAll(tools);
        }
        return new Toolbox(found);
    }

    /** The tools that the {@link Once} methods of a class declare, without code. */
    public static Toolbox declaredBy(Class<?> type) {
        return new Toolbox(MethodTools.declaredBy(type));
    }

    /** A toolbox with these tools and others. */
    public Toolbox and(Tool... others) {
        return and(of(others));
    }

    /** A toolbox with these tools and others. */
    public Toolbox and(Toolbox others) {
        List<Tool> all = new ArrayList<>(tools.values());
        all.addAll(others.tools.values());
        return new Toolbox(all);
    }

    /** A toolbox in which one tool has further declarations: {@code with("charge", tool -> tool.identity("customer"))}. */
    public Toolbox with(String name, UnaryOperator<ToolBuilder<ToolInput>> change) {
        Tool changed = find(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no tool '" + name + "', only " + names()))
                .with(change);
        return new Toolbox(tools.values().stream()
                .map(tool -> tool.name().equals(name) ? changed : tool)
                .toList());
    }

    public Optional<Tool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    public List<Tool> all() {
        return List.copyOf(tools.values());
    }

    public List<String> names() {
        return List.copyOf(tools.keySet());
    }

    @Override
    public String toString() {
        return "Toolbox" + names();
    }
}
