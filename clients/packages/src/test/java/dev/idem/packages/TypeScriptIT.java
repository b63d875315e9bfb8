package dev.idem.packages;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package for TypeScript, compiled in a copy: its own tests, the harness of the protocol, its types and its style. */
class TypeScriptIT {
    private static final Path SOURCE = Programs.ROOT.resolve("clients/typescript");
    private static final Path COPY = Path.of("target", "clients", "typescript").toAbsolutePath();
    private static final Set<String> MADE = Set.of("node_modules", "dist");
    private static final int OLDEST = 20;

    private static String whyNot = "";

    @TempDir
    Path home;

    private Programs programs;

    @BeforeAll
    static void install(@TempDir Path home) throws Exception {
        if (!Programs.isThere("node") || !Programs.isThere("npm")) {
            whyNot = "node and npm are not on the path";
            return;
        }
        // npm finds what it has fetched before in the home of its user.
        Programs programs = new Programs(home).with("HOME", System.getProperty("user.home"));
        String version = programs.run(home, "node", "--version").strip();
        if (Integer.parseInt(version.substring(1, version.indexOf('.'))) < OLDEST) {
            whyNot = "the node on the path is " + version + ", and " + OLDEST + " or newer is wanted";
            return;
        }
        copy();
        Programs.Ended installed = programs.end(
                COPY,
                List.of(
                        "npm",
                        "install",
                        "--no-audit",
                        "--no-fund",
                        "--no-package-lock",
                        "--ignore-scripts",
                        "--prefer-offline",
                        "--fetch-retries=1",
                        "--fetch-retry-mintimeout=1000"));
        if (installed.exit() != 0) {
            whyNot = "npm can't install the packages here";
            return;
        }
        programs.run(COPY, "npm", "run", "build");
    }

    /** Only what npm has fetched is kept from an earlier build. */
    private static void copy() throws IOException {
        Files.createDirectories(COPY);
        Files.walkFileTree(COPY, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.endsWith("node_modules") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }
        });
        // The tests look for them where they are in the checkout.
        for (String file : List.of("clients/identity-vectors.jsonl", "docs/typescript.md")) {
            Path copy = Path.of("target").toAbsolutePath().resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Programs.ROOT.resolve(file), copy, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.walkFileTree(SOURCE, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (MADE.contains(folder.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(COPY.resolve(SOURCE.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, COPY.resolve(SOURCE.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @BeforeEach
    void requireNode() {
        assumeTrue(whyNot.isEmpty(), whyNot);
        programs = new Programs(home);
        if (Programs.isThorough()) {
            programs.with("IDEM_LONG", "1");
        }
    }

    @Test
    void itsTestsPass() throws Exception {
        programs.run(COPY, "npm", "test");
    }

    /** With the real packages, which npm fetches once. */
    @Test
    void everyFrameworkRunsAToolOnce() throws Exception {
        String said = programs.with("HOME", System.getProperty("user.home"))
                .with("IDEM_FRAMEWORKS", COPY.resolveSibling("frameworks").toString())
                .run(COPY, "npm", "run", "frameworks");
        assumeTrue(!said.contains("SKIPPED"), said);
    }

    @Test
    void theHarnessFindsNothing() throws Exception {
        programs.conforms(COPY, "node", "dist/conformance/driver.js");
    }

    @Test
    void itsTypesAndItsStyleAreRight() throws Exception {
        programs.run(COPY, "npm", "run", "check");
    }
}
