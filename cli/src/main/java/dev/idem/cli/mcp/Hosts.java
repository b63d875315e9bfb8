package dev.idem.cli.mcp;

import dev.idem.cli.syntax.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Knows where the hosts of MCP servers have their configuration. */
final class Hosts {
    /** The hosts whose configuration can be changed. */
    static final List<String> NAMES = List.of("claude-desktop", "claude-code", "cursor", "vscode");

    private final Map<String, String> env;
    private final Path directory;
    private final String system;

    /** {@code system} is the name of the operating system, as Java gives it. */
    Hosts(Map<String, String> env, Path directory, String system) {
        this.env = env;
        this.directory = directory;
        this.system = system.toLowerCase(Locale.ROOT);
    }

    /** All files that these hosts may have, in a fixed order. */
    List<Path> files(List<String> hosts) {
        List<Path> files = new ArrayList<>();
        for (String host : hosts) {
            switch (host) {
                case "claude-desktop" -> files.add(settings().resolve("Claude/claude_desktop_config.json"));
                case "claude-code" -> {
                    files.add(home().resolve(".claude.json"));
                    files.add(directory.resolve(".mcp.json"));
                }
                case "cursor" -> {
                    files.add(home().resolve(".cursor/mcp.json"));
                    files.add(directory.resolve(".cursor/mcp.json"));
                }
                case "vscode" -> {
                    files.add(settings().resolve("Code/User/mcp.json"));
                    files.add(directory.resolve(".vscode/mcp.json"));
                }
                default -> throw new IllegalArgumentException(host);
            }
        }
        return files;
    }

    private boolean isWindows() {
        return system.startsWith("windows");
    }

    private Path home() {
        return folder(isWindows() ? "USERPROFILE" : "HOME");
    }

    /** The folder in which programs keep their configuration. */
    private Path settings() {
        if (isWindows()) {
            return folder("APPDATA");
        } else if (system.startsWith("mac")) {
            return home().resolve("Library/Application Support");
        }
        String given = env.getOrDefault("XDG_CONFIG_HOME", "");
        return given.startsWith("/") ? Path.of(given) : home().resolve(".config");
    }

    private Path folder(String variable) {
        String value = env.getOrDefault(variable, "");
        if (value.isEmpty()) {
            throw new UsageException(
                    "the variable " + variable + " is not set; name the file of the host with --file PATH");
        }
        return directory.resolve(value);
    }
}
