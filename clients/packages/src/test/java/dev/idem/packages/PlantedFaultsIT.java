package dev.idem.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.TempFolder;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes in the packages that a quick build finds. Each is made in a copy, of which one test runs, as in that build. */
@Tag("proof")
class PlantedFaultsIT {
    private static final Path PYTHON = Programs.ROOT.resolve("clients/python");

    // The path of a socket has at most 106 bytes.
    @TempDir(factory = MemoryFolder.class)
    static Path home;

    static List<PackageFault> typeScriptFaults() {
        return List.of(
                new PackageFault(
                        "an inner call that ran nothing proves that the outer one did nothing",
                        "src/running.ts",
                        "return !isPassed(thrown, frame);",
                        "return true;",
                        "calls",
                        "anInnerNotExecutedNeverMakesTheOuterOneDefinite"),
                new PackageFault(
                        "calls with other content share one claim, and get the result of another",
                        "src/operation.ts",
                        "sameness: `${address},${guards}`",
                        "sameness: address",
                        "calls",
                        "equalKeysWithOtherIdentityContentOrPolicyAreNotShared"),
                new PackageFault(
                        "a policy is sent without its flags, so that no approval is asked for",
                        "src/policy.ts",
                        "if (value !== undefined) {",
                        "if (typeof value === \"string\" || typeof value === \"number\") {",
                        "calls",
                        "aHeldCallRunsAfterAnApprovalOnly"),
                new PackageFault(
                        "another ledger after a restart is known by its name, so that all runs again in it",
                        "src/connection.ts",
                        "this.#greeting.ledgerId !== id",
                        "this.#greeting.shownLedger !== String(answer.ledger ?? masked(ledger))",
                        "process",
                        "anotherLedgerAfterARestartIsAnError"),
                new PackageFault(
                        "the name of a caller can pass for another one, who gets the response",
                        "src/frameworks/http/key.ts",
                        "part.replaceAll(\"%\", \"%25\").replaceAll(\"/\", \"%2F\")",
                        "part.replaceAll(\"%\", \"%25\")",
                        "idempotency-key",
                        "noCallerAndNoKeyCanPassForAnother"));
    }

    static List<PackageFault> pythonFaults() {
        return List.of(
                new PackageFault(
                        "an earlier request that was refused proves that a later one did nothing",
                        "src/idem/definite.py",
                        "else seen.__cause__",
                        "else seen.__cause__ or seen.__context__",
                        "tests.test_calls.EndingsTest",
                        "test_anEarlierRefusalIsNoProofForALaterRequest"),
                new PackageFault(
                        "the zone of a moment is left out, and its key is that of another moment",
                        "src/idem/values.py",
                        "value.astimezone(dt.timezone.utc).replace(tzinfo=None)",
                        "value.replace(tzinfo=None)",
                        "tests.test_values.VectorsTest",
                        "test_nativeValuesGiveTheKeysOfTheVectors"),
                new PackageFault(
                        "a result that could not be recorded is lost to the failure that follows",
                        "src/idem/request_ledger.py",
                        "if self._done is not None:\n            self.complete()",
                        "if self._done is not None and nothing_happened:\n            self.complete()",
                        "tests.test_documents_store.RequestsTest",
                        "test_the_failure_that_follows_a_lost_completion_completes_it"),
                new PackageFault(
                        "a time-out is taken for the end of a request, and kept as its response",
                        "src/idem/frameworks/http_rules.py",
                        "frozenset({408, 421, 423, 425, 429})",
                        "frozenset({421, 423, 425, 429})",
                        "tests.test_http_rules.ResponsesTest",
                        "test_what_a_status_means_for_the_key"),
                new PackageFault(
                        "a forked child ends the call of its parent, whose action goes on",
                        "src/idem/settling.py",
                        "        if call.pid != os.getpid():\n            return \"foreign\", {}\n",
                        "",
                        "tests.test_processes.ForkTest",
                        "test_aChildThatLeavesAGuardNeitherRenewsNorSettles"));
    }

    @ParameterizedTest
    @MethodSource("typeScriptFaults")
    void aTestOfTypeScriptFinds(PackageFault fault) throws Exception {
        try (TempFolder folder = new TempFolder(home)) {
            Path copy = typeScriptCopy(folder);
            fault.plant(copy);
            String said = inTypeScript(copy, List.of(fault));
            assertThat(said).containsPattern("(?m)^ *not ok \\d+ - " + fault.test() + "$");
        }
    }

    @ParameterizedTest
    @MethodSource("pythonFaults")
    void aTestOfPythonFinds(PackageFault fault) throws Exception {
        try (TempFolder folder = new TempFolder(home)) {
            Path copy = pythonCopy(folder);
            fault.plant(copy);
            String said = inPython(copy, List.of(fault));
            assertThat(said).containsPattern("(?m)^(FAIL|ERROR): " + fault.test() + " \\(tests\\.");
        }
    }

    /** Else it would prove nothing that they fail. */
    @Test
    void withoutAFaultTheTestsOfTypeScriptPass() throws Exception {
        try (TempFolder folder = new TempFolder(home)) {
            String said = inTypeScript(typeScriptCopy(folder), typeScriptFaults());
            for (PackageFault fault : typeScriptFaults()) {
                assertThat(said).containsPattern("(?m)^ *ok \\d+ - " + fault.test() + "$");
            }
        }
    }

    @Test
    void withoutAFaultTheTestsOfPythonPass() throws Exception {
        try (TempFolder folder = new TempFolder(home)) {
            String said = inPython(pythonCopy(folder), pythonFaults());
            assertThat(said).contains("Ran " + pythonFaults().size() + " tests").containsPattern("(?m)^OK$");
        }
    }

    private static Path typeScriptCopy(TempFolder folder) throws IOException {
        TypeScriptPackage.require();
        Path copy = folder.file("typescript");
        for (String each : List.of("src", "test", "conformance", "bench")) {
            PackageFault.copy(TypeScriptPackage.FOLDER.resolve(each), copy.resolve(each));
        }
        for (String each : List.of("package.json", "tsconfig.json")) {
            Files.copy(TypeScriptPackage.FOLDER.resolve(each), copy.resolve(each));
        }
        Files.createSymbolicLink(copy.resolve("node_modules"), TypeScriptPackage.FOLDER.resolve("node_modules"));
        return copy;
    }

    /** Compiles the copy and runs these tests, and of their files no other one. */
    private static String inTypeScript(Path copy, List<PackageFault> faults) throws Exception {
        Programs programs = new Programs(home);
        // A fault may leave an import without a use.
        programs.run(copy, "node", "node_modules/typescript/bin/tsc", "-p", ".", "--noUnusedLocals", "false");
        List<String> words = new ArrayList<>(List.of("node", "--test", "--test-reporter=tap"));
        faults.forEach(each -> words.add("--test-name-pattern=^" + each.test() + "$"));
        faults.stream()
                .map(each -> "dist/test/" + each.tests() + ".test.js")
                .distinct()
                .forEach(words::add);
        return programs.end(copy, words).said();
    }

    private static Path pythonCopy(TempFolder folder) throws IOException {
        Path copy = folder.file("python");
        for (String each : List.of("src", "tests")) {
            PackageFault.copy(PYTHON.resolve(each), copy.resolve(each));
        }
        Files.copy(PYTHON.resolveSibling("identity-vectors.jsonl"), folder.file("identity-vectors.jsonl"));
        return copy;
    }

    private static String inPython(Path copy, List<PackageFault> faults) throws Exception {
        Programs programs =
                new Programs(home).with("PYTHONPATH", copy.resolve("src").toString());
        Stream<String> words = Stream.of(Programs.python(), "-m", "unittest");
        Stream<String> tests = faults.stream().map(each -> each.tests() + "." + each.test());
        return programs.end(copy, Stream.concat(words, tests).toList()).said();
    }
}
