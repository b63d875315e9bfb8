package dev.idem.agent.batch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Progress as text: one line that is written over on a terminal, a plain line now and then elsewhere. */
public final class ProgressLine implements ProgressView {
    private static final Duration ON_A_TERMINAL = Duration.ofMillis(200);
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);
    private static final String ERASE_THE_REST = "\u001b[K";

    private final PrintStream out;
    private final boolean terminal;

    private ProgressLine(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** On stderr: one moving line when that is a terminal, a plain line every ten seconds when it is not. */
    public static ProgressLine onStderr() {
        return new ProgressLine(System.err, isTerminal("/proc/self/fd/2"));
    }

    /** One line that is written over. */
    public static ProgressLine moving(PrintStream terminal) {
        return new ProgressLine(terminal, true);
    }

    /** A plain line every ten seconds. */
    public static ProgressLine plain(PrintStream out) {
        return new ProgressLine(out, false);
    }

    @Override
    public Duration every() {
        return terminal ? ON_A_TERMINAL : ELSEWHERE;
    }

    @Override
    public void show(Progress progress) {
        if (terminal) {
            out.print('\r' + progress.line() + ERASE_THE_REST);
            out.flush();
        } else {
            out.println(progress.line());
        }
    }

    @Override
    public void end(Progress progress) {
        show(progress);
        if (terminal) {
            out.println();
        }
    }

    /** {@code System.console()} asks about stdin and stdout, and on newer platforms says yes to everything. */
    private static boolean isTerminal(String descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of(descriptor)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
