package dev.idem.build;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;

/** Prints what all threads do when a test has reached its time limit, those of its child processes too. */
public final class Stacks implements PreInterruptCallback {
    private static final Path JSTACK = Path.of(System.getProperty("java.home"), "bin", "jstack");
    private static final int PATIENCE_SECONDS = 10;

    @Override
    public void beforeThreadInterrupt(PreInterruptContext interrupt, ExtensionContext test) {
        print(System.err, test.getDisplayName());
    }

    static void print(PrintStream out, String test) {
        out.println("'" + test + "' has reached its time limit. The threads of this process:");
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            out.println("\"" + each.getKey().getName() + "\" " + each.getKey().getState());
            for (StackTraceElement frame : each.getValue()) {
                out.println("    at " + frame);
            }
        }
        ProcessHandle.current().descendants().forEach(child -> print(out, child));
    }

    private static void print(PrintStream out, ProcessHandle child) {
        String command = child.info().commandLine().orElse("");
        out.println("Child process " + child.pid() + ": " + command);
        if (child.info().command().filter(program -> program.endsWith("/java")).isPresent()) {
            out.println(ofJava(child.pid()));
        } else {
            out.println("    waits in " + text(Path.of("/proc/" + child.pid() + "/wchan")));
        }
    }

    private static String ofJava(long pid) {
        try {
            Process jstack = new ProcessBuilder(JSTACK.toString(), Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            // A process that was stopped answers nothing.
            if (jstack.onExit()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .handle((ended, late) -> late == null)
                    .join()) {
                return new String(jstack.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
            jstack.destroyForcibly();
            return "    gives no stacks";
        } catch (IOException e) {
            return "    gives no stacks: " + e;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "an unknown place";
        }
    }
}
