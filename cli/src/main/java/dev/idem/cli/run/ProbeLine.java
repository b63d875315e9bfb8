package dev.idem.cli.run;

import dev.idem.Entry;
import dev.idem.Probe;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Recording;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A shell line that finds out whether a command in doubt took effect. Exit 0: it did, and stdout is the result; exit 1:
 * it did not and no longer can; any other exit: unknown.
 */
final class ProbeLine implements Probe<CommandResult> {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final String line;
    private final Path directory;
    private final Map<String, String> env;
    private final Duration timeout;

    ProbeLine(String line, Path directory, Map<String, String> env, @Nullable Duration timeout) {
        this.line = line;
        this.directory = directory;
        this.env = env;
        this.timeout = timeout == null ? LONGEST : timeout;
    }

    @Override
    public Verdict<CommandResult> ask(Entry doubted) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of("/bin/sh", "-c", line))
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectError(Redirect.INHERIT);
        builder.environment().clear();
        builder.environment().putAll(env);
        builder.environment().put("IDEM_KEY", doubted.address().key());
        builder.environment().put("IDEM_FENCE", doubted.fence().toString());
        builder.environment().put("IDEM_ATTEMPT", Integer.toString(doubted.attempt()));
        Process process = builder.start();
        Recording recording = new Recording(Recording.CAP);
        Pump pump = new Pump("idem-probe", process.getInputStream(), null, recording.stdout());
        pump.start();
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return Verdict.unknown();
            }
            pump.ended(Duration.ofSeconds(2));
        } finally {
            process.destroyForcibly();
        }
        Recorded said = recording.recorded();
        return switch (process.exitValue()) {
            case 0 -> Verdict.happened(CommandResult.of(0, said));
            case 1 -> Verdict.notExecuted();
            default -> Verdict.unknown();
        };
    }
}
