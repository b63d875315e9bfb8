package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    private static final Path CASES = Path.of("..", "clients", "next-step-cases.jsonl");

    /** The tests of the packages for TypeScript and Python read the same cases. */
    @Test
    void whatSettlesADoubtIsTheSameInAllLanguages() throws IOException {
        List<String> lines = Files.readAllLines(CASES);
        assertThat(lines).hasSizeGreaterThan(40);
        for (String line : lines) {
            Map<?, ?> one = (Map<?, ?>) Json.parse(line);
            String text = ((Map<?, ?>) one.get("policy"))
                    .entrySet().stream()
                            .map(each -> each.getKey() + ": " + each.getValue())
                            .collect(Collectors.joining("\n"));
            Policy policy = Policy.parse(text, name -> new RemoteKeys(name, Duration.ofDays(1)));
            String next = switch (Recovery.wayOut(policy, (boolean) one.get("probe"), Duration.ZERO)) {
                case SAME_KEY, RERUN -> "next_call";
                case PROBE -> "probe";
                case PERSON -> "person";
            };
            assertThat(next).as(line).isEqualTo(one.get("next"));
        }
    }
}
