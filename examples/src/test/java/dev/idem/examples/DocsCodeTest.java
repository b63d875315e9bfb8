package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Compiles and runs the code of the README and the docs.
 *
 * <ul>
 *   <li>{@code java}: statements, which may use what {@link DocsPrelude} declares; compiled and run.
 *   <li>{@code java no-run}: statements; compiled.
 *   <li>{@code java class}: whole types, which the other blocks of the page may use; compiled.
 *   <li>{@code java test}: a test class; compiled and run.
 *   <li>{@code java module}: a module-info.java; compiled and used by a program.
 *   <li>A block of types that begins with an import has to name all its imports.
 * </ul>
 */
class DocsCodeTest {
    private static final List<String> KINDS = List.of("", "no-run", "class", "test", "module");

    @TempDir
    Path folder;

    /** Compiles all pages at once. */
    @TestFactory
    @Timeout(300)
    List<DynamicTest> everyBlockOfJavaCompilesAndRuns() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : Pages.all()) {
            List<CodeBlock> blocks =
                    CodeBlock.of(page).stream().filter(CodeBlock::isJava).toList();
            if (blocks.isEmpty()) {
                continue;
            }
            Snippets snippets = Snippets.compile(
                    blocks.stream().filter(block -> !block.isModule()).toList(), folder);
            for (CodeBlock block : blocks) {
                tests.add(DynamicTest.dynamicTest(block.toString(), () -> check(block, snippets)));
            }
        }
        return tests;
    }

    private void check(CodeBlock block, Snippets snippets) throws Exception {
        assertThat(block.kind()).as("kind of the block at %s", block).isIn(KINDS);
        if (block.isModule()) {
            ModuleBlock.check(block, folder);
            return;
        }
        assertThat(snippets.errors(block)).as("what the compiler says").isEmpty();
        assumeTrue(snippets.compiled(), "another block of this page does not compile");
        if (block.kind().isEmpty()) {
            run(snippets.type(block));
        } else if (block.kind().equals("test")) {
            runTests(snippets.type(block));
        }
    }

    private static void run(Class<?> type) throws Exception {
        try (DocsPrelude code = (DocsPrelude) type.getDeclaredConstructor().newInstance()) {
            code.run();
        }
    }

    private static void runTests(Class<?> type) {
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(type))
                                .build(),
                        summary);
        assertThat(summary.getSummary().getFailures())
                .extracting(failure -> failure.getTestIdentifier().getDisplayName() + ": " + failure.getException())
                .isEmpty();
        assertThat(summary.getSummary().getTestsSucceededCount()).isPositive();
    }

    @Test
    void codeThatDoesNotCompileIsReportedAtItsLine() {
        String page = "text\n```java\nint one = 1;\nString two = one;\n```\n";
        List<CodeBlock> blocks = CodeBlock.parse("page.md", page);

        assertThat(Snippets.compile(blocks, folder).errors(blocks.get(0)))
                .singleElement()
                .asString()
                .startsWith("page.md:4: incompatible types");
    }

    /** A page showed some imports and hid others, so that its class did not compile where it was pasted. */
    @Test
    void aClassWithImportsNamesAllOfThem() {
        String page =
                "```java class\nimport dev.idem.Idem;\nclass Pasted {\n    Idem idem;\n    List<String> keys;\n}\n```\n";
        List<CodeBlock> blocks = CodeBlock.parse("page.md", page);

        assertThat(Snippets.compile(blocks, folder).errors(blocks.get(0)))
                .singleElement()
                .asString()
                .startsWith("page.md:5: cannot find symbol");
    }

    @Test
    void codeThatThrowsIsReported() throws Exception {
        List<CodeBlock> blocks = CodeBlock.parse("page.md", "```java\nidem.operation(\"charge\").run(call -> 1);\n```");
        Class<?> type = Snippets.compile(blocks, folder).type(blocks.get(0));

        assertThat(catchThrowable(() -> run(type))).hasMessageContaining("has neither a key nor an identity");
    }
}
