package dev.idem.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the page. */
class ConsoleScriptsTest {
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*\"(\\.[^\"]+)\"");

    private final Console console = new Console();

    /** All scripts that the page loads, by their paths. Fails if one is not served. */
    private Set<String> scripts() {
        Set<String> found = new TreeSet<>();
        Deque<String> left = new ArrayDeque<>(Set.of("main.js"));
        while (!left.isEmpty()) {
            String path = left.pop();
            if (found.add(path)) {
                Matcher imports = IMPORT.matcher(text(path));
                while (imports.find()) {
                    left.push(Path.of(path)
                            .resolveSibling(imports.group(1))
                            .normalize()
                            .toString());
                }
            }
        }
        return found;
    }

    private String text(String path) {
        Console.File file = console.file(path);
        assertThat(file).as(path).isNotNull();
        return new String(Objects.requireNonNull(file).bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void everyImportIsServed() {
        assertThat(scripts()).contains("needs.js", "numbers.js", "lib/lit-html/lit-html.js");
    }

    /** A script that the page does not name is asked for only when the one that imports it has come. */
    @Test
    void thePageNamesEveryScript() {
        Set<String> named = new TreeSet<>(Set.of("main.js"));
        Matcher links =
                Pattern.compile("rel=\"modulepreload\" href=\"([^\"]+)\"").matcher(text("index.html"));
        while (links.find()) {
            named.add(links.group(1));
        }
        assertThat(named).isEqualTo(scripts());
    }

    /** Markup that is made of a text would run what the text holds. */
    @Test
    void noScriptMakesMarkupOfText() {
        scripts().stream()
                .filter(path -> !path.startsWith("lib/"))
                .forEach(path -> assertThat(text(path))
                        .as(path)
                        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
                        .doesNotContain("unsafeHTML", "unsafeSVG", "unsafeStatic", "new Function", " style="));
    }

    @Test
    void whatNeedsNoBrowserIsRight(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(hasNode(), "node is not on the path");
        for (String path : scripts()) {
            Path file = folder.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text(path));
        }
        Files.writeString(folder.resolve("package.json"), "{\"type\":\"module\"}");
        try (InputStream test = Objects.requireNonNull(getClass().getResourceAsStream("console.test.mjs"))) {
            Files.copy(test, folder.resolve("console.test.mjs"));
        }
        Process node = new ProcessBuilder("node", "--test", "console.test.mjs")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(said).isZero();
        assertThat(said).containsPattern("pass [1-9][0-9]");
    }

    private static boolean hasNode() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "node")));
    }
}
