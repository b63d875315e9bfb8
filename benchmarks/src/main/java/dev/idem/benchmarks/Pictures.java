package dev.idem.benchmarks;

import dev.idem.benchmarks.BarChart.Bar;
import dev.idem.benchmarks.Results.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pictures of docs/performance.md, one for each question, drawn from the results of earlier runs. */
final class Pictures {
    private static final Pattern VALUE = Pattern.compile("([0-9.,]+) ?(µs|ms|/s)");

    static final List<Question> QUESTIONS = List.of(
            new Question(
                    "first-call",
                    "How long does a first call take?",
                    "µs",
                    List.of(
                            new Line("memory", "memory, first call | a bare map, put twice"),
                            new Line("Redis", "Redis, first call | its two scripts, by hand"),
                            new Line("SQLite", "SQLite, first call, 1 thread | two bare commits"),
                            new Line("JSONL", "JSONL, first call, 1 thread | two bare appends, synced"),
                            new Line("PostgreSQL", "PostgreSQL, first call | the same statements by hand"))),
            new Question(
                    "replay",
                    "How long does a replay take?",
                    "µs",
                    List.of(
                            new Line("memory", "memory, replay | a bare map, get"),
                            new Line("JSONL", "JSONL, replay, 1 thread"),
                            new Line("SQLite", "SQLite, replay, 1 thread | a bare SELECT"),
                            new Line("Redis", "Redis, replay | its script, by hand"),
                            new Line("PostgreSQL", "PostgreSQL, replay | the same statement by hand"))),
            new Question(
                    "many-threads",
                    "How many writes a second do 64 threads make?",
                    "/s",
                    List.of(
                            new Line("SQLite", "SQLite, writes of first calls, 64 threads | a bare commit each"),
                            new Line(
                                    "JSONL",
                                    "JSONL, writes of first calls, 64 threads | a bare append and sync each"))),
            new Question(
                    "http-filter",
                    "What does the HTTP filter add to a request?",
                    "µs",
                    List.of(
                            new Line(
                                    "memory, replay",
                                    "filter, memory, replay, on top of the request | the ledger alone"),
                            new Line(
                                    "memory, first request",
                                    "filter, memory, first call, on top of the request | the ledger alone"),
                            new Line(
                                    "SQLite, replay",
                                    "filter, SQLite, replay, on top of the request | the ledger alone"),
                            new Line(
                                    "SQLite, first request",
                                    "filter, SQLite, first call, on top of the request | the ledger alone"))),
            new Question(
                    "mcp-guard",
                    "How long does a message take with the MCP guard?",
                    "µs",
                    List.of(
                            new Line("a message that passes", "a message that passes idem mcp | without it"),
                            new Line(
                                    "what a guarded call adds",
                                    "a guarded call on SQLite, on top of the call | a server with the ledger"))),
            new Question(
                    "start-up",
                    "How long does a command take to start and end?",
                    "ms",
                    List.of(
                            new Line("idem run, replay", "idem run -- true, replay | a Java hello"),
                            new Line("idem run, first call", "idem run -- true, first call | a Java hello"),
                            new Line(
                                    "idem mcp, first answer",
                                    "from the start of idem mcp to the first answer | of the server alone"))));

    private Pictures() {}

    /**
     * A question and the lines of the report that answer it.
     *
     * @param name the name of the file, without its ending
     */
    record Question(String name, String title, String unit, List<Line> lines) {}

    /**
     * A line of the report in a picture.
     *
     * @param path the first column of the report, with the name of the floor behind the stroke
     */
    record Line(String label, String path) {
        String floor() {
            return path.contains(" | ") ? path.substring(path.indexOf(" | ") + 3) : "";
        }
    }

    /** Writes all pictures into a folder. */
    static void draw(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Question question : QUESTIONS) {
            Files.writeString(
                    folder.resolve(question.name() + ".svg"),
                    chart(question, results).svg());
        }
    }

    static BarChart chart(Question question, Results results) {
        List<Bar> bars = new ArrayList<>();
        Set<String> note = new LinkedHashSet<>();
        for (Line line : question.lines()) {
            Figure figure = results.get(line.path());
            bars.add(bar(line.label(), figure.measured(), "", "idem", question));
            if (!figure.floor().isEmpty()) {
                bars.add(bar("", figure.floor(), ", " + line.floor(), "floor", question));
            }
            Map<String, String> run = figure.run();
            note.add(run.get("date") + ", commit " + run.get("commit") + ", " + run.get("machine"));
            note.add(String.valueOf(run.get("command")));
        }
        return new BarChart(question.title(), question.unit(), bars, List.copyOf(note));
    }

    private static Bar bar(String label, String shown, String after, String kind, Question question) {
        Matcher value = VALUE.matcher(shown);
        if (!value.lookingAt()) {
            throw new IllegalArgumentException("not a value of the report: '" + shown + "'");
        }
        return new Bar(label, in(question.unit(), value), value.group() + after, kind);
    }

    private static double in(String unit, Matcher value) {
        double number = Double.parseDouble(value.group(1).replace(",", ""));
        if (unit.equals(value.group(2))) {
            return number;
        }
        return switch (value.group(2) + " in " + unit) {
            case "ms in µs" -> number * 1e3;
            case "µs in ms" -> number / 1e3;
            default -> throw new IllegalArgumentException(value.group() + " is no value in " + unit);
        };
    }
}
