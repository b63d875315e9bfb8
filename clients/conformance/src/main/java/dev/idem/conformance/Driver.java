package dev.idem.conformance;

import dev.idem.Json;
import dev.idem.JsonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A driver that runs, with the jobs it has got. */
final class Driver {
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private final Launcher.Started started;
    private final Duration patience;
    private final AtomicInteger jobs;
    private final Map<String, CompletableFuture<Answer>> open = new ConcurrentHashMap<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();

    Driver(Launcher.Started started, Duration patience, AtomicInteger jobs) {
        this.started = started;
        this.patience = patience;
        this.jobs = jobs;
        Thread reader = new Thread(this::read, "conformance-driver");
        reader.setDaemon(true);
        reader.start();
    }

    /** How a call ended. */
    record Answer(String outcome, @Nullable Object value, String line) {}

    /** A job that the driver has got. */
    final class Given {
        final Job job;
        final String name;
        private final CompletableFuture<Answer> answer;

        Given(Job job, String name, CompletableFuture<Answer> answer) {
            this.job = job;
            this.name = name;
            this.answer = answer;
        }

        boolean isAnswered() {
            return answer.isDone();
        }

        /** The answer; a violation if none comes. */
        Answer answer() throws Violation, InterruptedException {
            try {
                return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                throw new Violation(
                        "the conformance section",
                        "the driver gave no answer for " + job.key() + " in " + patience.toSeconds() + " s");
            } catch (ExecutionException e) {
                throw new Violation("the conformance section", String.valueOf(e.getMessage()));
            }
        }
    }

    long pid() {
        return started.pid();
    }

    String words() {
        return started.words();
    }

    boolean kill() {
        return started.kill();
    }

    /** Gives a job to the driver. Its action has a name of its own. */
    Given give(Job job) {
        String name = "a" + jobs.incrementAndGet();
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("job", name);
        line.putAll(job.named(name).members());
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        open.put(name, answer);
        var unused = ended.whenComplete((why, thrown) -> answer.completeExceptionally(new IOException(why)));
        try {
            started.in().write((Json.writePlain(line) + "\n").getBytes(StandardCharsets.UTF_8));
            started.in().flush();
        } catch (IOException e) {
            answer.completeExceptionally(new IOException("the driver reads no more jobs", e));
        }
        return new Given(job, name, answer);
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(started.out(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
            ended.complete("the driver has ended before its jobs");
        } catch (IOException e) {
            ended.complete("the driver can't be read: " + e.getMessage());
        } catch (JsonException e) {
            ended.complete("the driver wrote a line that is no JSON: " + e.getMessage());
        }
    }

    private void take(String line) {
        if (Json.parse(line) instanceof Map<?, ?> members && members.get("job") instanceof String job) {
            CompletableFuture<Answer> waiting = open.remove(job);
            if (waiting != null) {
                waiting.complete(new Answer(String.valueOf(members.get("outcome")), members.get("value"), line));
            }
        }
    }

    /** Ends its stdin and waits for its end; kills it if it goes on. */
    void end() {
        try {
            started.in().close();
            ended.get(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException | ExecutionException | TimeoutException e) {
            // It is killed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        started.kill();
    }
}
