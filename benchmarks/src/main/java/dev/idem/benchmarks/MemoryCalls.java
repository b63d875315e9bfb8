package dev.idem.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** One thread in memory: {@link FirstCalls} and {@link Replays}, in processes of their own. */
final class MemoryCalls implements Scenario {

    @Override
    public String name() {
        return "memory, one thread";
    }

    @Override
    public List<Row> run(Effort effort) throws RunnerException {
        return rows(measure(effort));
    }

    private static Map<String, Statistics> measure(Effort effort) throws RunnerException {
        var options = new OptionsBuilder()
                .include(FirstCalls.class.getName())
                .include(Replays.class.getName())
                .forks(effort.forks())
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(effort.warmUp().toMillis()))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(effort.measured().toMillis()))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        Map<String, Statistics> found = new HashMap<>();
        for (RunResult result : new Runner(options).run()) {
            String name = result.getParams().getBenchmark();
            found.put(
                    name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1),
                    result.getPrimaryResult().getStatistics());
        }
        return found;
    }

    private static List<Row> rows(Map<String, Statistics> found) {
        Statistics firstFloor = get(found, "FirstCalls.bareMap");
        Statistics first = get(found, "FirstCalls.givenKey");
        Statistics firstKept = get(found, "FirstCalls.givenKeyOfKeptOperation");
        Statistics replayFloor = get(found, "Replays.bareMap");
        Statistics replay = get(found, "Replays.givenKey");
        Statistics replayKept = get(found, "Replays.givenKeyOfKeptOperation");
        return List.of(
                budgeted("memory, first call | a bare map, put twice", first, firstFloor, Budget.FIRST_CALL_MEMORY),
                row("memory, first call, kept operation | the same", firstKept, firstFloor),
                budgeted("memory, replay | a bare map, get", replay, replayFloor, Budget.REPLAY_MEMORY),
                row("memory, replay, kept operation | the same", replayKept, replayFloor));
    }

    private static Statistics get(Map<String, Statistics> found, String name) {
        return Objects.requireNonNull(found.get(name), () -> name + " was not measured; found " + found.keySet());
    }

    private static Row budgeted(String path, Statistics measured, Statistics floor, Budget budget) {
        return Row.of(
                path,
                spread(measured),
                spread(floor),
                Units.times(median(measured) / median(floor)),
                budget,
                median(measured));
    }

    private static Row row(String path, Statistics measured, Statistics floor) {
        return Row.withoutPromise(path, spread(measured), spread(floor), Units.times(median(measured) / median(floor)));
    }

    private static double median(Statistics times) {
        return times.getPercentile(50);
    }

    /** The median, and the quarters of the samples that were below and above. */
    private static String spread(Statistics times) {
        return Units.format(
                "%.2f µs (%.2f–%.2f)",
                median(times) / 1e3, times.getPercentile(25) / 1e3, times.getPercentile(75) / 1e3);
    }
}
