package dev.idem.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.cli.syntax.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostsTest {
    private static final Map<String, String> ENV =
            Map.of("HOME", "/home/ann", "USERPROFILE", "/users/ann", "APPDATA", "/users/ann/roaming");

    private static List<String> files(String system, Map<String, String> env, String... hosts) {
        return new Hosts(env, Path.of("/shop"), system)
                .files(List.of(hosts)).stream().map(Path::toString).toList();
    }

    @Test
    void everySystemHasItsOwnPlaces() {
        assertThat(files("Linux", ENV, "claude-desktop", "vscode"))
                .containsExactly(
                        "/home/ann/.config/Claude/claude_desktop_config.json",
                        "/home/ann/.config/Code/User/mcp.json",
                        "/shop/.vscode/mcp.json");
        assertThat(files("Mac OS X", ENV, "claude-desktop", "vscode"))
                .contains(
                        "/home/ann/Library/Application Support/Claude/claude_desktop_config.json",
                        "/home/ann/Library/Application Support/Code/User/mcp.json");
        assertThat(files("Windows 11", ENV, "claude-desktop", "vscode", "cursor"))
                .contains(
                        "/users/ann/roaming/Claude/claude_desktop_config.json",
                        "/users/ann/roaming/Code/User/mcp.json",
                        "/users/ann/.cursor/mcp.json");
    }

    @Test
    void theConfigurationFolderOfTheUserCounts() {
        assertThat(files("Linux", Map.of("HOME", "/home/ann", "XDG_CONFIG_HOME", "/conf"), "vscode"))
                .contains("/conf/Code/User/mcp.json");
        assertThat(files("Linux", Map.of("HOME", "/home/ann", "XDG_CONFIG_HOME", ""), "vscode"))
                .contains("/home/ann/.config/Code/User/mcp.json");
    }

    @Test
    void everyHostOfTheHelpIsKnown() {
        assertThat(files("Linux", ENV, Hosts.NAMES.toArray(String[]::new))).hasSize(7);
    }

    @Test
    void withoutAHomeThereIsNoGuess() {
        assertThatThrownBy(() -> files("Linux", Map.of(), "cursor"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("--file PATH");
    }
}
