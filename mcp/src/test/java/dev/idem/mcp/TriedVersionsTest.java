package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page names the packages that the guard is tried with, in the versions that the tests install. */
class TriedVersionsTest {
    @ParameterizedTest
    @ValueSource(strings = {"node", "conformance"})
    void thePageNamesEachPackageInItsVersion(String folder) throws Exception {
        Path packages = Path.of("src/test/resources/dev/idem/mcp", folder, "package.json");
        String page = Files.readString(Path.of("../docs/mcp.md"));
        Map<?, ?> json = (Map<?, ?>) Json.parse(Files.readString(packages));
        ((Map<?, ?>) json.get("dependencies"))
                .forEach((name, version) -> assertThat(page).contains("`" + name + "` " + version));
    }
}
