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

/** A started command, or the shell that will become it. */
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
     * Starts it with the inherited stdin, which is never read here: a surrounding loop must not lose its input.
     *
     * @param told the additional environment variables
     * @param conduits hold it back and take its output; null to start it at once
     * @param setsid the program that creates a process group; null to stay in the current one
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
        // Java closes its own pipes when the process ends, but the children of the process, for instance a tee, may
        // still write.
        Process process = builder.redirectOutput(conduits.out().redirect())
                .redirectError(conduits.err().redirect())
                .start();
        return new Child(process, conduits.out().stream(), conduits.err().stream(), setsid != null);
    }

    /** A shell drops variables whose names it does not allow; these are set again after it. */
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

    /** Ends the waiting shell, which has no children yet. */
    void discard() {
        process.destroyForcibly();
    }

    /** Ends it and its children: TERM, and after the grace KILL. */
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

    /** Sends a signal to its process group, or to it and all its descendants. */
    void signal(String name) {
        if (!ownGroup && name.equals("INT") && Terminal.inForeground()) {
            // The terminal has already sent it to the whole group; a second signal could force an abort.
            return;
        }
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c"));
        if (ownGroup) {
            // The shell creates the group itself; right after the start it may not exist yet.
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
