package dev.idem.command.score;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of a process.
 *
 * @param exit its code; -1 when it had to be stopped
 */
record Ended(int exit, String stdout) {
    private static final int ENOUGH = 4 * 1024 * 1024;

    /** Runs a command to its end, with an empty stdin. After the time-out it and its children are stopped. */
    static Ended of(List<String> words, Duration timeout) {
        Process process;
        try {
            process = new ProcessBuilder(words)
                    .redirectInput(new File("/dev/null"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new ScoreRefused("NOT_STARTED", "the command can't be started: " + e.getMessage());
        }
        CompletableFuture<String> stdout =
                CompletableFuture.supplyAsync(() -> read(process.getInputStream()), Ended::apart);
        try {
            boolean inTime = process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (!inTime) {
                stop(process);
            }
            return new Ended(inTime ? process.exitValue() : -1, stdout.get(5, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            stop(process);
            Thread.currentThread().interrupt();
            throw new ScoreRefused("INTERRUPTED", "interrupted while the command ran");
        } catch (ExecutionException | TimeoutException e) {
            stop(process);
            return new Ended(-1, "");
        }
    }

    /** The common pool may have one thread only, and a reader waits for as long as its command runs. */
    private static void apart(Runnable reading) {
        Thread thread = new Thread(reading, "idem-score");
        thread.setDaemon(true);
        thread.start();
    }

    private static void stop(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String read(InputStream stream) {
        try (stream) {
            String text = new String(stream.readNBytes(ENOUGH), StandardCharsets.UTF_8);
            stream.transferTo(OutputStream.nullOutputStream());
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
