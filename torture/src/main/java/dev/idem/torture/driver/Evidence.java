package dev.idem.torture.driver;

import dev.idem.torture.check.Checker;
import dev.idem.torture.check.Kept;
import dev.idem.torture.check.Line;
import dev.idem.torture.check.Violation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The evidence of a run that broke a rule: its log and the final state of the ledger. */
public final class Evidence {
    static final String LOG = "log.tsv";
    private static final String LEDGER = "ledger.tsv";

    private Evidence() {}

    static void keep(Path run, Path evidence, Collection<Kept> kept) throws IOException {
        Files.createDirectories(evidence);
        Files.move(run.resolve(LOG), evidence.resolve(LOG), StandardCopyOption.REPLACE_EXISTING);
        Files.write(evidence.resolve(LEDGER), kept.stream().map(Kept::text).toList());
    }

    /** Judges a kept run again. */
    public static List<Violation> check(Path evidence) throws IOException {
        Checker checker = new Checker();
        try (Stream<String> lines = Files.lines(evidence.resolve(LOG))) {
            lines.map(line -> line.substring(line.indexOf('\t') + 1))
                    .filter(line -> !line.startsWith("#"))
                    .map(Line::parse)
                    .forEach(checker::accept);
        }
        Map<String, Kept> kept = new HashMap<>();
        for (String line : Files.readAllLines(evidence.resolve(LEDGER))) {
            Kept one = Kept.parse(line);
            kept.put(one.key(), one);
        }
        checker.finish(key -> kept.getOrDefault(key, new Kept(key, Kept.State.ABSENT, 0, "")));
        return checker.violations();
    }

    /** The log lines of a key, with the deeds of the driver. */
    public static List<String> story(Path evidence, String key) throws IOException {
        List<String> story = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(evidence.resolve(LOG))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.contains("\t" + key + "\t") || line.contains("\t#\t")) {
                    story.add(line);
                }
            }
        }
        story.addAll(Files.readAllLines(evidence.resolve(LEDGER)).stream()
                .filter(line -> line.startsWith(key + "\t"))
                .toList());
        return story;
    }
}
