package dev.idem.gauntlet;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of one run. */
final class Report {
    private final String setting;
    private final Map<Field.Entry, Map<String, Verdict>> verdicts = new LinkedHashMap<>();
    private final Map<Field.Entry, Speed> speeds = new LinkedHashMap<>();
    private final Map<Field.Entry, String> configurations = new LinkedHashMap<>();

    Report(String setting) {
        this.setting = setting;
    }

    void add(Field.Entry entry, String scenario, Verdict verdict) {
        verdicts.computeIfAbsent(entry, any -> new LinkedHashMap<>()).put(scenario, verdict);
    }

    void add(Field.Entry entry, String configuration) {
        configurations.put(entry, configuration);
    }

    void add(Field.Entry entry, Speed speed) {
        speeds.put(entry, speed);
    }

    String setting() {
        return setting;
    }

    Map<Field.Entry, Map<String, Verdict>> verdicts() {
        return verdicts;
    }

    Map<Field.Entry, Speed> speeds() {
        return speeds;
    }

    Map<Field.Entry, String> configurations() {
        return configurations;
    }

    String text() {
        StringBuilder text = new StringBuilder(setting).append("\nIs it right?\n");
        verdicts.forEach((entry, cells) -> {
            long wrong = count(cells, Verdict.Grade.WRONG);
            text.append('\n').append(entry.title()).append(": ").append(count(cells, Verdict.Grade.RIGHT));
            text.append(" right, ").append(wrong).append(" wrong, ");
            text.append(count(cells, Verdict.Grade.NOT_OFFERED)).append(" not offered\n");
            cells.forEach((scenario, verdict) -> text.append(String.format(
                    Locale.ROOT, "  %-5s  %-34s %s%n", verdict.grade().word(), scenario, verdict.observed())));
        });
        if (!speeds.isEmpty()) {
            text.append(
                            "\nIs it fast? Microseconds; in brackets, how many times the naive floor of the store, and how many\n")
                    .append("times Idem's own statements sent by hand. They take turns.\n\n");
            text.append(String.format(
                    Locale.ROOT, "%-38s %26s %26s %26s %9s%n", "", "first call", "replay", "8 at once", "runs/key"));
            speeds.forEach((entry, speed) -> text.append(line(entry, speed)));
        }
        return text.toString();
    }

    private static String line(Field.Entry entry, Speed speed) {
        return String.format(
                Locale.ROOT,
                "%-38s %26s %26s %26s %9.2f%n",
                entry.title(),
                cell(speed.first()),
                cell(speed.replay()),
                cell(speed.crowd()),
                speed.runs());
    }

    static String cell(Speed.Time time) {
        String byHand = time.timesByHand().isPresent()
                ? String.format(Locale.ROOT, " | %.2f x", time.timesByHand().getAsDouble())
                : "";
        return String.format(Locale.ROOT, "%.2f (%.2f x%s)", time.micros(), time.timesNaive(), byHand);
    }

    static long count(Map<String, Verdict> cells, Verdict.Grade grade) {
        return List.copyOf(cells.values()).stream()
                .filter(verdict -> verdict.grade() == grade)
                .count();
    }
}
