package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The code about frameworks in the README and on their pages can't be compiled here, where no framework is. It stands, word
 * for word, in the tests of the adapters, which are compiled and run with the real ones.
 */
class FrameworksPageTest {
    @Test
    void everyBlockStandsInATestOfItsAdapter() throws IOException {
        String tests = bare(tests());
        List<CodeBlock> blocks = Stream.of(
                        "README.md", "docs/frameworks.md", "docs/http.md", "docs/mcp.md", "docs/spring-boot.md")
                .flatMap(page -> CodeBlock.of(Pages.root().resolve(page)).stream())
                .filter(block -> block.info().isEmpty())
                .toList();

        assertThat(blocks).hasSizeGreaterThan(9);
        assertThat(blocks).allSatisfy(block -> assertThat(tests).contains(bare(String.join("\n", block.code()))));
    }

    private static String tests() throws IOException {
        StringBuilder texts = new StringBuilder();
        for (Path file : Pages.sources(Pages.root().resolve("integrations"))) {
            if (file.toString().endsWith("Test.java") || file.toString().endsWith("IT.java")) {
                texts.append(Files.readString(file));
            }
        }
        return texts.toString();
    }

    /** Without blanks and line ends, which the formatter decides about. A class inside of a test is static. */
    private static String bare(String code) {
        return code.replace("static class ", "class ").replaceAll("\\s+", "");
    }
}
