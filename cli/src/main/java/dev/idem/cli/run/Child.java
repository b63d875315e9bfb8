package dev.idem.cli.run;

import dev.idem.cli.around.OuterLocale;
import dev.idem.command.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A started command, or the stand-in that will become it. */
final class Child {
    private final Process process;
    private final InputStream stdout;
    private final InputStream stderr;
    private final boolean ownGroup;

    private Child(Process process, InputStream stdout, InputStream stderr, boolean ownGroup) {
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
        this.ownGroup = ownGroup;
    }

    /**
     * Starts it with stdin handed over, never read here: a surrounding loop must not lose its input.
     *
     * @param told what is added to its environment
     * @param conduits hold it back and take what it writes; null to let it go at once
     * @param setsid the program that makes a process group of its own; null to stay in this one
     */
    static Child start(
            List<String> command,
            Map<String, String> told,
            Redirect stdin,
            @Nullable Conduits conduits,
            @Nullable String setsid)
            throws IOException {
        List<String> words = new ArrayList<>();
        if (setsid != null) {
            words.add(setsid);
        }
        ProcessBuilder builder = new ProcessBuilder(words).redirectInput(stdin);
        OuterLocale.restore(builder.environment());
        builder.environment().putAll(told);
        if (conduits != null) {
            words.addAll(conduits.gate().words());
            words.addAll(namesShellsDrop(builder.environment()));
        }
        words.addAll(command);
        if (conduits == null) {
            Process process = builder.start();
            return new Child(process, process.getInputStream(), process.getErrorStream(), setsid != null);
        }
        // Java's own pipes are closed under their reader as soon as the process itself has ended; what it started,
        // say a tee that its output goes through, may still have something to write.
        Process process = builder.redirectOutput(conduits.out().redirect())
                .redirectError(conduits.err().redirect())
                .start();
        return new Child(process, conduits.out().stream(), conduits.err().stream(), setsid != null);
    }

    /** A shell keeps only variables it could have made itself; the others are given again behind it. */
    private static List<String> namesShellsDrop(Map<String, String> environment) {
        List<String> words = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (!isShellName(name)) {
                words.add(name + "=" + value);
            }
        });
        if (!words.isEmpty()) {
            words.add(0, "env");
        }
        return words;
    }

    private static boolean isShellName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (!letter && (i == 0 || c < '0' || c > '9')) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    long pid() {
        return process.pid();
    }

    InputStream stdout() {
        return stdout;
    }

    InputStream stderr() {
        return stderr;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    /** Whether it has ended within this time. */
    boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the stand-in, which has no children yet. */
    void discard() {
        process.destroyForcibly();
    }

    /** Ends it and what it has started: TERM, and after the grace KILL. */
    int stop(Duration grace) throws InterruptedException {
        List<ProcessHandle> all = process.descendants().toList();
        signal("TERM");
        endsWithin(grace);
        signal("KILL");
        if (!ownGroup) {
            all.forEach(ProcessHandle::destroyForcibly);
        }
        return process.waitFor();
    }

    /** Sends a signal to its process group, or to it and all that came from it. */
    void signal(String name) {
        if (!ownGroup && name.equals("INT") && Terminal.inForeground()) {
            // The terminal has sent it to the whole group already; twice would be taken for impatience.
            return;
        }
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c"));
        if (ownGroup) {
            // The group is made by the stand-in itself; right after the start it may not be there yet.
            words.add("kill -s \"$1\" -- \"-$2\" 2>/dev/null || kill -s \"$1\" \"$2\" 2>/dev/null");
        } else {
            words.add("s=$1; shift; kill -s \"$s\" \"$@\" 2>/dev/null");
        }
        words.add("idem-kill");
        words.add(name);
        words.add(Long.toString(pid()));
        if (!ownGroup) {
            process.descendants().forEach(one -> words.add(Long.toString(one.pid())));
        }
        try {
            new ProcessBuilder(words)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
