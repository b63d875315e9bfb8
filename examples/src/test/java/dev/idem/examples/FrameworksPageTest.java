package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The code on the page about frameworks can't be compiled here, where no framework is. It stands, word for word, in the
 * tests of the adapters, which are compiled and run with the real ones.
 */
class FrameworksPageTest {
    private static final Pattern BLOCK = Pattern.compile("\n```\n(.*?)\n```\n", Pattern.DOTALL);

    @Test
    void every_block_stands_in_a_test_of_its_adapter() throws IOException {
        String tests = String.join("\n", tests());
        List<String> blocks = new ArrayList<>();
        Matcher found = BLOCK.matcher(Pages.text(Pages.root().resolve("docs/frameworks.md")));
        while (found.find()) {
            blocks.add(found.group(1));
        }

        assertThat(blocks).hasSize(5);
        assertThat(blocks).allSatisfy(block -> assertThat(bare(tests)).contains(bare(block)));
    }

    private static List<String> tests() throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Pages.root().resolve("integrations"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    /** Without blanks and line ends, which the formatter decides about. */
    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }
}
