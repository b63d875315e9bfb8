package dev.idem.http;

import dev.idem.http.suite.HttpCases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The table of rules, on the guard alone. */
class HttpSuiteTest {
    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> onTheMemoryLedger() {
        return HttpCases.all().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> each.play((rules, handler) -> GuardSurface.open("memory:", rules, handler))));
    }

    @TestFactory
    Stream<DynamicTest> onSqlite() {
        return HttpCases.all().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.name(),
                        () -> each.play((rules, handler) -> {
                            Path file =
                                    Files.createTempDirectory(folder, "case").resolve("idem.db");
                            return GuardSurface.open("sqlite:" + file, rules, handler);
                        })));
    }
}
