package dev.idem.examples;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that a short build has a test for each hazard, duty and door: those that {@code docs/tests.md} names. */
class FirstTierTest {
    private static final String PAGE = "docs/tests.md";
    private static final String HAZARDS = "Hazards";
    private static final String DUTIES = "The duties of a client";
    private static final String DOORS = "Doors";
    private static final String KILLS = "Kills";

    /** {@code SomeTest#someMethod}. */
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)#(\\w+)`");
    /** {@code test_some.py#test_something} and {@code some.test.ts#something}. */
    private static final Pattern TEST_OF_A_PACKAGE = Pattern.compile("`(test_\\w+\\.py|[\\w-]+\\.test\\.ts)#(\\w+)`");

    private static final Pattern SCENARIO = Pattern.compile("`([a-z]+(?:-[a-z]+)+)`");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern NUMBER = Pattern.compile("(?m)^(\\d+)\\. ");

    /** These run the scenarios and the tests of the packages. */
    private static final List<String> RUNNERS = List.of(
            "`ConformanceTest#aClientThatKeepsEveryDutyPasses`",
            "`TypeScriptIT#theHarnessFindsNothing`",
            "`TypeScriptIT#itsTestsPass`",
            "`PythonIT#theHarnessFindsNothing`",
            "`PythonIT#itsTestsPass`");

    /** Published, but no caller comes in there: what tests use, what command lines share, and lists of modules. */
    private static final Set<String> NO_DOORS = Set.of("testkit", "command", "all", "bom");

    /** Modules whose tests need others that are built later, and stand beside them. */
    private static final Map<String, String> TESTED_BY = Map.of("server/console", "server/pages");

    private static final TestSources SOURCES = TestSources.read();

    private final String page = Pages.text(Pages.root().resolve(PAGE));

    /** A row of a table. */
    record Row(List<String> cells) {
        String first() {
            return cells.get(0);
        }

        String last() {
            return cells.get(cells.size() - 1);
        }
    }

    @Test
    void everyRowHasATest() {
        List<String> without = Stream.of(HAZARDS, DOORS, KILLS)
                .flatMap(heading -> rows(heading).stream())
                .filter(row -> !TEST.matcher(row.last()).find()
                        && !TEST_OF_A_PACKAGE.matcher(row.last()).find())
                .map(Row::first)
                .toList();
        assertThat(without).isEmpty();
    }

    @Test
    void everyTestThatIsNamedIsInAShortBuild() {
        List<String> wrong = TEST.matcher(page)
                .results()
                .flatMap(test -> SOURCES.whyNotInAShortBuild(test.group(1), test.group(2)).stream())
                .distinct()
                .toList();
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyTestOfAPackageThatIsNamedExists() {
        List<String> missing = TEST_OF_A_PACKAGE
                .matcher(page)
                .results()
                .filter(test -> !isInAPackage(test.group(1), test.group(2)))
                .map(MatchResult::group)
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void everyHazardOfTheDesignHasARow() {
        Path design = design();
        assumeTrue(Files.exists(design), () -> "no design at " + design);
        List<String> hazards = table(Pages.text(design), "11. Hazards, each with a test").stream()
                .map(Row::first)
                .toList();
        assertThat(hazards).hasSizeGreaterThan(20);
        assertThat(rows(HAZARDS)).extracting(Row::first).containsExactlyInAnyOrderElementsOf(hazards);
    }

    @Test
    void everyDutyHasARow() {
        String protocol = section(Pages.text(Pages.root().resolve("docs/protocol.md")), DUTIES);
        List<String> duties =
                NUMBER.matcher(protocol).results().map(duty -> duty.group(1)).toList();
        assertThat(duties).isNotEmpty();
        assertThat(rows(DUTIES))
                .extracting(row -> row.first().replaceFirst("\\..*", ""))
                .containsExactlyElementsOf(duties);
    }

    /** A scenario that only a client for tests goes through says nothing about the packages. */
    @Test
    void everyDutyIsTriedOnAPackage() {
        assertThat(section(page, DUTIES)).contains(RUNNERS);
        String scenarios = SOURCES.textOf("clients/conformance/src/main");
        String onPackages = SOURCES.textOf("clients/packages/src/test");
        List<String> wrong = new ArrayList<>();
        for (Row row : rows(DUTIES)) {
            boolean isTried = TEST_OF_A_PACKAGE.matcher(row.last()).find();
            List<String> named = SCENARIO.matcher(row.last())
                    .results()
                    .map(each -> each.group(1))
                    .toList();
            for (String scenario : named) {
                boolean isOnPackages = onPackages.contains('"' + scenario + '"');
                isTried |= isOnPackages;
                if (!isOnPackages && !scenarios.contains('"' + scenario + '"')) {
                    wrong.add(row.first() + ": there is no scenario " + scenario);
                }
            }
            if (!isTried) {
                wrong.add(row.first() + ": no package is tried");
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyPublishedModuleIsADoorWithATestOfItsOwn() {
        List<String> without = doors().stream()
                .filter(module -> rows(DOORS).stream().noneMatch(row -> isTestedAt(module, row)))
                .toList();
        assertThat(without).isEmpty();
    }

    @Test
    void everyDoorIsTestedInItsModule() {
        List<String> elsewhere = rows(DOORS).stream()
                .filter(row -> !isTestedAt(module(row), row))
                .map(Row::first)
                .toList();
        assertThat(elsewhere).isEmpty();
    }

    private static String module(Row row) {
        return row.cells().get(1).replace("`", "");
    }

    private boolean isTestedAt(String module, Row row) {
        return module(row).equals(module)
                && TEST.matcher(row.last())
                        .results()
                        .anyMatch(test -> SOURCES.has(test.group(1), test.group(2), module + "/")
                                || SOURCES.has(
                                        test.group(1), test.group(2), TESTED_BY.getOrDefault(module, "-") + "/"));
    }

    /** The published modules where callers come in. */
    private static Set<String> doors() {
        Path root = Pages.root();
        String modules = Pages.text(root.resolve("pom.xml")).replaceFirst("(?s)</modules>.*", "");
        Set<String> doors = MODULE.matcher(modules)
                .results()
                .map(module -> module.group(1))
                .filter(module ->
                        !Pages.text(root.resolve(module).resolve("pom.xml")).contains("<maven.deploy.skip>true<"))
                .collect(toCollection(TreeSet::new));
        assertThat(doors).containsAll(NO_DOORS);
        doors.removeAll(NO_DOORS);
        return doors;
    }

    private static boolean isInAPackage(String file, String test) {
        Path clients = Pages.root().resolve("clients");
        if (file.endsWith(".py")) {
            Path tests = clients.resolve("python/tests").resolve(file);
            return Files.exists(tests) && isRun(Pages.text(tests), "def " + test + "(");
        }
        Path tests = clients.resolve("typescript/test").resolve(file);
        return Files.exists(tests) && isRun(Pages.text(tests), "test(\"" + test + '"');
    }

    /** Whether a test is there, and no line above it skips it. */
    private static boolean isRun(String tests, String declared) {
        int at = tests.indexOf(declared);
        if (at < 0) {
            return false;
        }
        String before = tests.substring(0, at);
        return !before.substring(before.lastIndexOf("\n\n") + 1).contains("@unittest.skip");
    }

    /** The design is kept beside the repository, with the public test data. */
    private static Path design() {
        String data = System.getProperty("idem.data");
        Path shared = data != null
                ? Path.of(data).toAbsolutePath().getParent()
                : Pages.root().resolve("../shared");
        return shared.resolve("DESIGN.md").normalize();
    }

    private List<Row> rows(String heading) {
        List<Row> rows = table(page, heading);
        assertThat(rows).as(heading).isNotEmpty();
        return rows;
    }

    private static String section(String text, String heading) {
        String marked = "\n## " + heading + "\n";
        int from = text.indexOf(marked);
        assertThat(from).as(heading).isNotNegative();
        int to = text.indexOf("\n## ", from + marked.length());
        return text.substring(from + marked.length(), to < 0 ? text.length() : to);
    }

    /** The rows below the heads of a section's tables. */
    private static List<Row> table(String text, String heading) {
        List<String> lines = section(text, heading)
                .lines()
                .filter(line -> line.startsWith("|"))
                .toList();
        int dashes = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("|--"))
                .findFirst()
                .orElseThrow());
        return lines.stream()
                .skip(dashes + 1L)
                .map(line -> line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                .map(cells -> new Row(Stream.of(cells).map(String::strip).toList()))
                .toList();
    }
}
