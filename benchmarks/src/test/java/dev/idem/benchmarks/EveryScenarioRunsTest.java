package dev.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.infra.Blackhole;

/** Nothing here is timed: it shows that what is measured by hand still runs, does its work and cleans up. */
final class EveryScenarioRunsTest {
    @TempDir
    Path folder;

    /** Those that need neither a server nor a process, which take most of the time. */
    @Test
    @Tag("proof")
    void scenariosInThisProcessGiveRowsAndLeaveNoFiles() throws Exception {
        List<Scenario> here = Main.scenarios().stream()
                .filter(scenario ->
                        !scenario.name().matches("(PostgreSQL|Redis|HTTP|MCP|idem run|idem serve|console|packages).*"))
                .toList();
        assertThat(here).hasSizeBetween(10, Main.scenarios().size() - 8);
        paths(here);
    }

    @Test
    @Tag("proof")
    void scenariosGiveRowsAndLeaveNoFiles() throws Exception {
        List<Scenario> all = new ArrayList<>(Main.scenarios());
        all.addAll(Main.sizes());
        assertThat(paths(all))
                .as("the lines that the pictures are drawn from")
                .containsAll(Pictures.QUESTIONS.stream()
                        .flatMap(question -> question.lines().stream())
                        .map(Pictures.Line::path)
                        .filter(path -> !path.startsWith("memory, "))
                        .toList());
    }

    /** What the rows of these scenarios are about. */
    private List<String> paths(List<Scenario> all) throws Exception {
        Effort little = new Effort(1, Duration.ofMillis(1), Duration.ofMillis(1), 2, 20, 20, folder);
        List<String> paths = new ArrayList<>();
        for (Scenario scenario : all) {
            if (!(scenario instanceof MemoryCalls)) {
                List<Row> rows = scenario.run(little);
                assertThat(rows)
                        .as(scenario.name())
                        .isNotEmpty()
                        .allSatisfy(
                                row -> assertThat(row.measured() + row.floor()).isNotEmpty());
                rows.forEach(row -> paths.add(row.path()));
            }
        }
        assertThat(folder).isEmptyDirectory();
        return paths;
    }

    @Test
    void sixteenDuplicatesRunOnce() throws Exception {
        Effort little = new Effort(1, Duration.ofMillis(1), Duration.ofMillis(1), 2, 20, 20, folder);
        List<Row> rows = new Duplicates("memory", unused -> Ledgers.inMemory()).run(little);
        assertThat(rows.get(0).verdict()).isEqualTo(Row.Verdict.HELD);
    }

    @Test
    void firstCallsRunTheirActions() {
        FirstCalls calls = new FirstCalls();
        try {
            calls.makeKeys();
            assertThat(calls.givenKey()).isEqualTo("ok");
            calls.makeKeys();
            assertThat(calls.givenKeyOfKeptOperation()).isEqualTo("ok");
            assertThat(calls.bareMap())
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                    .hasSize(FirstCalls.BATCH);
            assertThat(calls.runs()).isEqualTo(2L * FirstCalls.BATCH);
        } finally {
            calls.close();
        }
    }

    @Test
    void replaysRunNothing() {
        Blackhole hole = new Blackhole(
                "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");
        Replays replays = new Replays();
        try {
            replays.complete();
            replays.bareMap(hole);
            replays.givenKey(hole);
            replays.givenKeyOfKeptOperation(hole);
            assertThat(replays.runs()).isEqualTo(Replays.KEYS);
        } finally {
            replays.close();
        }
    }
}
