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

    private final Tool tool;
    private boolean entered;

    private RunningTool(Tool tool) {
        this.tool = tool;
    }

    /** Runs the code of a tool. */
    public static <T extends @Nullable Object> T inside(Tool tool, Callable<T> code) throws Exception {
        RunningTool outer = CURRENT.get();
        CURRENT.set(new RunningTool(tool));
        try {
            return code.call();
        } finally {
            CURRENT.set(outer);
        }
    }

    /**
     * Whether a method is the code of the running tool: the tool has one of the method's names and its annotation. A tool
     * that only calls the method has not. It is true once for each call: a method that the tool calls on its way is
     * guarded by itself.
     */
    public static boolean enters(Collection<String> names, Once annotation) {
        RunningTool running = CURRENT.get();
        if (running == null
                || running.entered
                || !names.contains(running.tool.name())
                || !running.tool.isDeclaredBy(annotation)) {
            return false;
        }
        running.entered = true;
        return true;
    }
}
