package dev.idem.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The figures of earlier runs: what {@link Main} has printed, kept in files. */
final class Results {
    private static final Pattern HEAD = Pattern.compile("(\\w+): +(.*)");
    private static final Pattern COLUMN = Pattern.compile("\\S+(?: \\S+)*");

    private final Map<String, Figure> figures = new HashMap<>();

    /**
     * A line of a run.
     *
     * @param run the date, commit, machine and command of the run, by their names
     * @param measured the value of Idem, with its unit
     * @param floor the value of the floor; empty if there is none
     */
    record Figure(Map<String, String> run, String measured, String floor) {}

    /** Reads all files of a folder. */
    static Results in(Path folder) throws IOException {
        Results results = new Results();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                results.read(Files.readString(file));
            }
        }
        return results;
    }

    private void read(String printed) {
        Map<String, String> run = new HashMap<>();
        List<Integer> starts = new ArrayList<>();
        for (String line : printed.lines().toList()) {
            var head = HEAD.matcher(line);
            if (starts.isEmpty() && head.matches()) {
                run.put(head.group(1), head.group(2));
            } else if (line.startsWith(Report.FIRST_COLUMN)) {
                COLUMN.matcher(line).results().map(MatchResult::start).forEach(starts::add);
            } else if (!starts.isEmpty()) {
                add(cell(line, starts, 0), new Figure(Map.copyOf(run), cell(line, starts, 1), cell(line, starts, 2)));
            }
        }
    }

    private void add(String path, Figure figure) {
        if (figures.put(path, figure) != null) {
            throw new IllegalArgumentException("two runs have the line '" + path + "'; keep one of them");
        }
    }

    private static String cell(String line, List<Integer> starts, int column) {
        int start = Math.min(starts.get(column), line.length());
        int end = Math.min(starts.get(column + 1), line.length());
        return line.substring(start, end).strip();
    }

    /** The line with this path. */
    Figure get(String path) {
        Figure figure = figures.get(path);
        if (figure == null) {
            throw new IllegalArgumentException(
                    "no run has the line '" + path + "'; run its scenario and keep what it prints");
        }
        return figure;
    }
}
