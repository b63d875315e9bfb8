package dev.idem.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The README and the docs of this repository. */
final class Pages {
    private Pages() {}

    /** The folder that holds the README. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("bom/pom.xml"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Every page whose code is compiled and whose links are followed. */
    static List<Path> all() {
        try (Stream<Path> docs = Files.walk(root().resolve("docs"))) {
            Stream<Path> pages = docs.filter(file -> file.toString().endsWith(".md"));
            Stream<Path> tops = Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
                    .map(root()::resolve);
            return Stream.concat(tops, pages.sorted()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the docs can't be listed", e);
        }
    }

    /** The sources in a folder. What is being built beside them comes and goes, and is not looked at. */
    static List<Path> sources(Path folder) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                return entered.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }

    static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException("the page " + page + " can't be read", e);
        }
    }

    /** A page's name for people: its path from the root. */
    static String name(Path page) {
        return root().relativize(page).toString();
    }
}
