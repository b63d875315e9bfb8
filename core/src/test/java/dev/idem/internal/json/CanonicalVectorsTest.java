package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The published test vectors of RFC 8785. */
class CanonicalVectorsTest {

    @Test
    void turnsEveryPublishedInputIntoItsOutput() throws IOException {
        Path vectors = PublicData.folder("jcs");
        List<Path> inputs;
        try (Stream<Path> files = Files.list(vectors.resolve("input"))) {
            inputs = files.sorted().toList();
        }

        assertThat(inputs).hasSizeGreaterThanOrEqualTo(6);
        for (Path input : inputs) {
            String name = input.getFileName().toString();
            byte[] canonical = CanonicalJson.bytes(Json.parse(Files.readAllBytes(input)));
            String hex = Files.readString(vectors.resolve("outhex").resolve(name.replace(".json", ".txt")));

            assertThat(new String(canonical, StandardCharsets.UTF_8))
                    .as(name)
                    .isEqualTo(Files.readString(vectors.resolve("output").resolve(name)));
            assertThat(canonical).as(name).isEqualTo(HexFormat.of().parseHex(hex.replaceAll("\\s", "")));
        }
    }
}
