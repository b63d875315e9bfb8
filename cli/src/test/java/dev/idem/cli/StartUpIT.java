package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.syntax.Commands;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a start must not do, since each takes as long as a tenth of it. Times would say the same on a calm machine only. */
class StartUpIT extends ProcessCase {
    @Test
    void aRunMakesNoCodeForTheMethodsOfRecords() throws IOException {
        assertThat(loadedBy("run", "--key", "k", "--", "true")).doesNotContain("java.lang.runtime.ObjectMethods");
        assertThat(loadedBy("run", "--key", "k", "--", "true")).doesNotContain("java.lang.runtime.ObjectMethods");
    }

    @Test
    void aRunLoadsNoOtherCommand() throws IOException {
        String loaded = loadedBy("run", "--key", "k", "--", "true");
        assertThat(Commands.names()).allSatisfy(name -> {
            String type = Commands.find(name).code().getClass().getName().replaceFirst("\\$\\$Lambda.*", " ");
            assertThat(loaded.contains(type)).as(type).isEqualTo(name.equals("run"));
        });
    }

    /** A logger is looked for in every jar of the class path. Java 21 and later do that themselves at the exit. */
    @Test
    void aLookLoadsNoLogging() throws IOException {
        loadedBy("run", "--key", "k", "--", "true");
        String loaded = loadedBy("show", "k");
        assertThat(loaded.substring(0, loaded.indexOf("java.lang.Shutdown ")))
                .contains("dev.idem.sqlite.SqliteStore")
                .doesNotContain("LoggerFinder");
    }

    private String loadedBy(String... words) throws IOException {
        Path log = Files.createTempFile(home, "classes-", ".log");
        List<String> command = new ArrayList<>(
                List.of(Idems.JAVA, "-Xlog:disable", "-Xlog:class+load:file=" + log, "-XX:+UseSerialGC"));
        command.addAll(Prepared.options());
        command.addAll(List.of(words));
        assertThat(idems.start(Redirect.from(new File("/dev/null")), command)
                        .end()
                        .exit())
                .isZero();
        return Files.readString(log);
    }
}
