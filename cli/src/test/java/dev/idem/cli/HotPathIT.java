package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is called most loads nothing that is there for other commands: each class would cost every start. */
class HotPathIT extends ProcessCase {
    private static final List<String> FOR_OTHERS = List.of(
            "dev.idem.agent.",
            "dev.idem.clikit.",
            "dev.idem.jsonl.",
            "dev.idem.postgresql.",
            "dev.idem.redis.",
            "dev.idem.remote.",
            "dev.idem.cli.approval.",
            "dev.idem.cli.batch.",
            "dev.idem.cli.check.",
            "dev.idem.cli.demo.",
            "dev.idem.cli.mcp.",
            "dev.idem.mcp.",
            "dev.idem.cli.upkeep.",
            "dev.idem.cli.webhook.",
            "dev.idem.http.",
            "java.net.http.",
            "picocli.",
            "com.fasterxml.",
            "com.github.benmanes.",
            "com.networknt.",
            "com.zaxxer.",
            "org.postgresql.",
            "redis.",
            "java.util.logging.FileHandler",
            "ch.qos.");

    /** The classes that a call loads, by their names. */
    private List<String> loaded(String... words) throws IOException {
        Path log = home.resolve("classes.log");
        Files.deleteIfExists(log);
        List<String> command = Idems.command(List.of("-Xlog:class+load=info:file=" + log + ":none"), words);
        Ran ran = idems.start(Redirect.from(new File("/dev/null")), command).end();
        assertThat(ran.exit()).as(ran.err()).isZero();
        return Files.readAllLines(log).stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    private static boolean isForOthers(String name) {
        return FOR_OTHERS.stream().anyMatch(name::startsWith);
    }

    @Test
    void theBareCommandsLoadOnlyWhatTheyNeed() throws IOException {
        for (String line : List.of(
                "run --key k -- true",
                "run --key k -- true",
                "key --field to=ann",
                "claim c --identity {}",
                "settle c --fence 2 --as complete")) {
            List<String> classes = loaded(line.split(" ", -1));
            assertThat(classes).as(line).contains("dev.idem.cli.Main").noneMatch(HotPathIT::isForOthers);
        }
    }

    @Test
    void theCheckItselfGoesRed() throws IOException {
        assertThat(loaded("approve")).anyMatch(HotPathIT::isForOthers);
    }
}
