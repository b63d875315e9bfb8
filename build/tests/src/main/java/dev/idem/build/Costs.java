package dev.idem.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes down the processor time of each test class, and of the whole process at its end, into {@code target/costs}: a
 * line with a name, elapsed milliseconds, and milliseconds of processor time of the process and of its ended children.
 * The end of the build adds them up. A class that runs beside others has their time in its line, too.
 */
public final class Costs implements TestExecutionListener {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final int MILLIS_A_TICK = 10;
    private static final int OWN_TIME = 11;

    /** Some tests run tests themselves; theirs belong to them. */
    private static final AtomicReference<@Nullable Costs> OUTERMOST = new AtomicReference<>();

    private final Map<UniqueId, Spent> begun = new ConcurrentHashMap<>();
    private final long start = System.nanoTime();

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        OUTERMOST.compareAndSet(null, this);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (OUTERMOST.get() == this && isClass(test)) {
            begun.put(test.getUniqueIdObject(), now());
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Spent before = begun.remove(test.getUniqueIdObject());
        if (before != null) {
            Spent after = now();
            write(new Spent(after.elapsed - before.elapsed, after.own - before.own, after.children - before.children)
                    .line(((ClassSource) test.getSource().orElseThrow()).getClassName()));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (OUTERMOST.get() == this) {
            write(now().line("process"));
        }
    }

    private static boolean isClass(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof ClassSource
                && test.getUniqueIdObject().getSegments().size() == 2;
    }

    private Spent now() {
        long elapsed = (System.nanoTime() - start) / 1_000_000;
        try {
            String stat = Files.readString(STAT);
            // The name of the program stands in brackets, and may hold blanks.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return new Spent(elapsed, millis(fields, OWN_TIME), millis(fields, OWN_TIME + 2));
        } catch (IOException e) {
            return new Spent(elapsed, 0, 0);
        }
    }

    /** The time in the program and the time in the system, which stand one behind the other. */
    private static long millis(String[] fields, int first) {
        return MILLIS_A_TICK * (Long.parseLong(fields[first]) + Long.parseLong(fields[first + 1]));
    }

    private static void write(String line) {
        String module = System.getProperty("basedir");
        if (module == null) {
            return;
        }
        try {
            Path folder = Files.createDirectories(Path.of(module, "target", "costs"));
            Path file = folder.resolve(ProcessHandle.current().pid() + ".txt");
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Milliseconds. */
    private record Spent(long elapsed, long own, long children) {
        String line(String name) {
            return name + ' ' + elapsed + ' ' + own + ' ' + children + '\n';
        }
    }
}
