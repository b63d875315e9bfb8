package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that the links of the pages lead somewhere: to pages, to their headings, and to tests. */
class DocsLinksTest {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    /** {@code SomeTest#someMethod}, as the docs name the tests that show a promise. */
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+)#(\\w+)`");

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> dead = new ArrayList<>();
        for (Path page : Pages.all()) {
            Matcher link = LINK.matcher(Pages.text(page));
            while (link.find()) {
                if (!leadsSomewhere(page, link.group(1))) {
                    dead.add(Pages.name(page) + " -> " + link.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void aDeadLinkIsFound() {
        Path readme = Pages.root().resolve("README.md");

        assertThat(leadsSomewhere(readme, "docs/nowhere.md")).isFalse();
        assertThat(leadsSomewhere(readme, "docs/guarantees.md#no-such-heading")).isFalse();
        assertThat(leadsSomewhere(readme, "docs/guarantees.md")).isTrue();
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path page : Pages.all()) {
            Matcher test = TEST.matcher(Pages.text(page));
            while (test.find()) {
                named++;
                String source = sources.getOrDefault(test.group(1), "");
                if (!source.contains(" " + test.group(2) + "(")) {
                    missing.add(Pages.name(page) + " names " + test.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isPositive();
    }

    /** A decision was in no list, so that readers of the docs never met it. */
    @Test
    void everyPageIsListedInTheIndexOfItsFolder() {
        assertThat(unlisted("docs")).isEmpty();
        assertThat(unlisted("docs/decisions")).isEmpty();
    }

    private static List<String> unlisted(String folder) {
        Path index = Pages.root().resolve(folder).resolve("README.md");
        List<Path> listed = LINK.matcher(Pages.text(index))
                .results()
                .map(link -> index.resolveSibling(link.group(1)).normalize())
                .toList();
        return Pages.all().stream()
                .filter(page -> index.getParent().equals(page.getParent()) && !page.equals(index))
                .filter(page -> !listed.contains(page))
                .map(Pages::name)
                .toList();
    }

    private static boolean leadsSomewhere(Path page, String target) {
        if (target.startsWith("https://")) {
            return true;
        }
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path to = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        if (!Files.exists(to)) {
            return false;
        }
        return hash < 0 || anchors(to).contains(target.substring(hash + 1));
    }

    private static List<String> anchors(Path page) {
        return HEADING.matcher(Pages.text(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .strip()
                        .replace(' ', '-'))
                .toList();
    }

    /** The sources that hold tests, by the name of their class; the testkit's are its main sources. */
    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (Path source : Pages.sources(Pages.root())) {
            if (Pages.name(source).contains("src/test/") || Pages.name(source).startsWith("testkit")) {
                String name = source.getFileName().toString();
                sources.merge(
                        name.substring(0, name.length() - ".java".length()), Files.readString(source), String::concat);
            }
        }
        return sources;
    }
}
