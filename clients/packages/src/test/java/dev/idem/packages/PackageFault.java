package dev.idem.packages;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A mistake in a copy of a package, to see that a test of a quick build finds it.
 *
 * @param name a sentence about it
 * @param file in the folder of the package
 * @param right the text that is there, once
 * @param wrong the text in its place
 * @param tests where the test is, as the package's runner of tests names it
 * @param test the name of the test that must fail
 */
record PackageFault(String name, String file, String right, String wrong, String tests, String test) {
    void plant(Path copy) throws IOException {
        Path source = copy.resolve(file);
        String whole = Files.readString(source);
        int at = whole.indexOf(right);
        if (at < 0 || whole.indexOf(right, at + 1) >= 0) {
            throw new IllegalStateException(file + " has this not exactly once: " + right);
        }
        Files.writeString(source, whole.substring(0, at) + wrong + whole.substring(at + right.length()));
    }

    @Override
    public String toString() {
        return name;
    }

    /** Copies a folder with all that is in it. */
    static void copy(Path folder, Path to) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(folder.relativize(each)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) throws IOException {
                Files.copy(each, to.resolve(folder.relativize(each)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
