package dev.idem.agent.batch;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The progress of a run.
 *
 * @param total how many items there are, where that is known
 * @param took how long the run has taken so far
 */
public record Progress(String job, BatchReport.Counts counts, OptionalLong total, Duration took) {
    /** How many items were tried a second. Skipped items do not count: they say nothing about the rest. */
    public double rate() {
        double seconds = took.toNanos() / 1e9;
        return seconds <= 0 ? 0 : counts.tried() / seconds;
    }

    /** How long the rest will take if none of it is skipped; empty before anything was tried or without a total. */
    public Optional<Duration> left() {
        double rate = rate();
        if (total.isEmpty() || rate <= 0) {
            return Optional.empty();
        }
        double seconds = Math.max(0, total.getAsLong() - counts.seen()) / rate;
        return Optional.of(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** One line: how many of how many, the rate, the time left, and what went wrong. */
    public String line() {
        StringBuilder line = new StringBuilder(job).append(": ").append(BatchWords.number(counts.seen()));
        total.ifPresent(
                all -> line.append(" of ").append(BatchWords.number(all)).append(percent(all)));
        if (counts.tried() > 0) {
            line.append(", ").append(BatchWords.rate(rate()));
        }
        left().ifPresent(left ->
                line.append(", ").append(BatchWords.duration(left)).append(" left"));
        say(line, counts.skipped(), " skipped");
        say(line, counts.failed(), " failed");
        say(line, counts.inDoubt(), " in doubt");
        return line.toString();
    }

    private String percent(long all) {
        return all == 0 ? "" : " (" + counts.seen() * 100 / all + " %)";
    }

    private static void say(StringBuilder line, long count, String what) {
        if (count > 0) {
            line.append(", ").append(BatchWords.number(count)).append(what);
        }
    }
}
