package dev.idem.agent.tool;

import java.util.Collection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The tool whose code a session runs in this thread. Code that guards methods by itself, such as a proxy of Spring, asks
 * it, so that one call is not guarded twice.
 */
public final class RunningTool {
    private static final ThreadLocal<@Nullable RunningTool> CURRENT = new ThreadLocal<>();

    private final String name;
    private boolean entered;

    private RunningTool(String name) {
        this.name = name;
    }

    /** Runs the code of a tool. */
    public static <T extends @Nullable Object> T inside(Tool tool, Callable<T> code) throws Exception {
        RunningTool around = CURRENT.get();
        CURRENT.set(new RunningTool(tool.name()));
        try {
            return code.call();
        } finally {
            CURRENT.set(around);
        }
    }

    /**
     * Whether a method with one of these names is the code of the running tool. It is true once for each call: a method
     * that the tool calls on its way is guarded by itself.
     */
    public static boolean enters(Collection<String> names) {
        RunningTool running = CURRENT.get();
        if (running == null || running.entered || !names.contains(running.name)) {
            return false;
        }
        running.entered = true;
        return true;
    }
}
