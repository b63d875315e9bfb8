package dev.idem.mcp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Packages from npm that the guard is tried with, and the scripts that use them. They are installed once, into a folder
 * of the build, in the versions that {@code package.json} names.
 */
final class NodePackages {
    private static final Path RESOURCES = Path.of("src", "test", "resources", "dev", "idem", "mcp", "node");
    private static final long MINUTES = 10;

    private final Path folder;
    private final String whyNot;

    private NodePackages(Path folder, String whyNot) {
        this.folder = folder;
        this.whyNot = whyNot;
    }

    /** The one try of this process. */
    private static final class Installed {
        static final NodePackages NOW = install(Path.of("target", "node").toAbsolutePath());
    }

    /** The packages; skips the test with the reason where there is no node, or npm can't install them. */
    static NodePackages orSkip() {
        NodePackages packages = Installed.NOW;
        assumeTrue(packages.whyNot.isEmpty(), packages.whyNot);
        return packages;
    }

    private static NodePackages install(Path folder) {
        try {
            Files.createDirectories(folder);
            copy(folder);
            if (!runs(folder, "node", "--version")) {
                return new NodePackages(folder, "there is no node on the path");
            }
            String wanted = Files.readString(folder.resolve("package.json"));
            Path installed = folder.resolve("installed");
            if (Files.exists(installed) && Files.readString(installed).equals(wanted)) {
                return new NodePackages(folder, "");
            }
            boolean done = runs(
                    folder,
                    "npm",
                    "install",
                    "--no-audit",
                    "--no-fund",
                    "--no-package-lock",
                    "--ignore-scripts",
                    "--prefer-offline",
                    "--fetch-retries=1",
                    "--fetch-retry-mintimeout=1000");
            if (done) {
                Files.writeString(installed, wanted);
            }
            return new NodePackages(folder, done ? "" : "npm can't install the packages here: " + lastLine(folder));
        } catch (IOException e) {
            return new NodePackages(folder, "the packages of npm can't be installed: " + e);
        }
    }

    private static void copy(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(RESOURCES)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static boolean runs(Path folder, String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("install.log").toFile())
                    .start();
        } catch (IOException e) {
            Files.writeString(folder.resolve("install.log"), "there is no " + command[0] + " on the path");
            return false;
        }
        try {
            process.getOutputStream().close();
            return process.waitFor(MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }

    private static String lastLine(Path folder) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("install.log"));
        return lines.stream()
                .filter(line -> line.startsWith("npm error") && !line.contains("://"))
                .findFirst()
                .orElse(lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1));
    }

    /** The command of a script of the tests. */
    List<String> script(String name) {
        return List.of("node", folder.resolve(name).toString());
    }

    /** The command of one of the reference servers. */
    List<String> server(String name) {
        Path server = folder.resolve("node_modules/@modelcontextprotocol/server-" + name + "/dist/index.js");
        return List.of("node", server.toString());
    }
}
