package dev.idem.packages;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A compiled copy of the package for TypeScript, made once for all tests. */
final class TypeScriptPackage {
    static final Path FOLDER = Path.of("target", "clients", "typescript").toAbsolutePath();
    static final Path FRAMEWORKS = FOLDER.resolveSibling("frameworks");
    private static final Path SOURCE = Programs.ROOT.resolve("clients/typescript");
    private static final Set<String> MADE = Set.of("node_modules", "dist");
    private static final int OLDEST = 20;

    private TypeScriptPackage() {}

    private static final class Made {
        static final String WHY_NOT = make();

        private static String make() {
            try {
                return install();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final class Frameworks {
        static final String WHY_NOT = fetch();

        private static String fetch() {
            try {
                String said = new Programs(FOLDER.resolveSibling("home"))
                        .with("HOME", System.getProperty("user.home"))
                        .with("IDEM_FRAMEWORKS", FRAMEWORKS.toString())
                        .run(FOLDER, "npm", "run", "frameworks", "--", "--install-only");
                return said.contains("SKIPPED") ? said : "";
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Installs it beside the frameworks; where npm can't fetch those, the test is skipped. */
    static void requireFrameworks() {
        require();
        assumeTrue(Frameworks.WHY_NOT.isEmpty(), Frameworks.WHY_NOT);
    }

    /** Compiles it; without node, npm or its packages the test is skipped. */
    static void require() {
        assumeTrue(Made.WHY_NOT.isEmpty(), Made.WHY_NOT);
    }

    private static String install() throws IOException, InterruptedException {
        if (!Programs.isThere("node") || !Programs.isThere("npm")) {
            return "node and npm are not on the path";
        }
        Path home = Files.createDirectories(FOLDER.resolveSibling("home"));
        // npm finds what it has fetched before in the home of its user.
        Programs programs = new Programs(home).with("HOME", System.getProperty("user.home"));
        String version = programs.run(home, "node", "--version").strip();
        if (Integer.parseInt(version.substring(1, version.indexOf('.'))) < OLDEST) {
            return "the node on the path is " + version + ", and " + OLDEST + " or newer is wanted";
        }
        copy();
        Programs.Ended installed = programs.end(
                FOLDER,
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
            return "npm can't install the packages here";
        }
        programs.run(FOLDER, "npm", "run", "build");
        return "";
    }

    /** Only what npm has fetched is kept from an earlier build. */
    private static void copy() throws IOException {
        Files.createDirectories(FOLDER);
        Files.walkFileTree(FOLDER, new SimpleFileVisitor<>() {
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
        List<String> files = new ArrayList<>(List.of("docs/typescript.md"));
        try (var cases = Files.newDirectoryStream(Programs.ROOT.resolve("clients"), "*.jsonl")) {
            cases.forEach(each -> files.add("clients/" + each.getFileName()));
        }
        for (String file : files) {
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
                Files.createDirectories(FOLDER.resolve(SOURCE.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, FOLDER.resolve(SOURCE.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
