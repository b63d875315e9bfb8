package dev.idem.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Key;
import dev.idem.Outcome;
import dev.idem.testkit.MemoryFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java, node and Python replay each other's results, on ledgers that each of them has filled. */
class MeetingIT {
    private static final Path VECTORS = Programs.ROOT.resolve("clients/identity-vectors.jsonl");

    // The path of a socket has at most 106 bytes.
    @TempDir(factory = MemoryFolder.class)
    Path home;

    @Test
    void eachReplaysTheResultsOfTheOthers() throws Exception {
        TypeScriptPackage.require();
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python), "there is no /usr/bin/python3");
        Programs programs = new Programs(home)
                .with("PYTHONPATH", Programs.ROOT.resolve("clients/python/src").toString());
        String ofJava = ledger("java");
        String ofNode = ledger("node");
        String ofPython = ledger("python");
        String module =
                TypeScriptPackage.FOLDER.resolve("dist/src/index.js").toUri().toString();
        List<String> inNode = List.of("node", script("meet.mjs"), module);
        List<String> inPython = List.of(python.toString(), script("meet.py"));

        inJava(ofJava);
        met(programs, inNode, ofJava, ofNode);
        met(programs, inPython, ofNode, ofJava, ofPython);
        met(programs, inNode, ofPython);
        assertThat(inJava(ofNode)).allMatch(each -> each.startsWith("replayed"));
        assertThat(inJava(ofPython)).allMatch(each -> each.startsWith("replayed"));
    }

    private String ledger(String name) {
        return "sqlite:" + home.resolve(name + ".db");
    }

    private String script(String name) throws Exception {
        Path file = home.resolve(name);
        try (var in = MeetingIT.class.getResourceAsStream("/meeting/" + name)) {
            Files.write(file, in.readAllBytes());
        }
        return file.toString();
    }

    /** Runs a program on ledgers, of which the last is its own if it is empty. */
    private void met(Programs programs, List<String> program, String... ledgers) throws Exception {
        Set<String> filled = new HashSet<>();
        for (String ledger : ledgers) {
            if (Files.exists(Path.of(ledger.substring("sqlite:".length())))) {
                filled.add(ledger);
            }
        }
        List<String> words = new ArrayList<>(program);
        words.add(VECTORS.toString());
        words.addAll(List.of(ledgers));
        List<String> lines = programs.run(home, words.toArray(String[]::new))
                .lines()
                .filter(line -> line.matches("(done|replayed) .*"))
                .toList();
        List<Map<String, Object>> vectors = vectors();
        assertThat(lines).hasSize(vectors.size() * ledgers.length);
        for (int i = 0; i < lines.size(); i++) {
            String ledger = ledgers[i / vectors.size()];
            check(vectors.get(i % vectors.size()), lines.get(i), filled.contains(ledger));
        }
    }

    /** The value has the canonical form of what the first program returned: its key tells. */
    private static void check(Map<String, Object> vector, String line, boolean filled) {
        String[] words = line.split(" ", 3);
        assertThat(words[1]).as("%s: %s", vector, line).isEqualTo(vector.get("key"));
        Key ofValue = Key.derive(
                (String) vector.get("scope"),
                (String) vector.get("operation"),
                Json.parse(words[2]),
                ((Long) vector.get("occurrence")).intValue());
        assertThat(ofValue.value()).as("%s: %s", vector, line).isEqualTo(vector.get("key"));
        if (filled) {
            assertThat(words[0]).as("%s: %s", vector, line).isEqualTo("replayed");
        }
    }

    private static List<String> inJava(String ledger) throws Exception {
        List<String> lines = new ArrayList<>();
        try (Idem idem = Idem.open(ledger)) {
            for (Map<String, Object> vector : vectors()) {
                Outcome<?> outcome = idem.operation((String) vector.get("operation"))
                        .scope((String) vector.get("scope"))
                        .occurrence(((Long) vector.get("occurrence")).intValue())
                        .identity(vector.get("identity"))
                        .attempt(call -> vector.get("identity"));
                String word = outcome instanceof Outcome.Replayed ? "replayed " : "done ";
                String key = ((Outcome.Valued<?>) outcome).address().key();
                lines.add(word + key + " " + Json.write(outcome.value()));
                check(vector, lines.get(lines.size() - 1), false);
            }
        }
        return lines;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> vectors() throws Exception {
        List<Map<String, Object>> vectors = new ArrayList<>();
        for (String line : Files.readAllLines(VECTORS)) {
            vectors.add((Map<String, Object>) Json.parse(line));
        }
        return vectors;
    }
}
