package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of {@code idem serve --notify}. */
class NotifyTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() throws Exception {
        shell = new InProcess(folder);
        Files.writeString(folder.resolve("slack"), "https://hooks.slack.com/services/s3cret\n");
        Files.writeString(folder.resolve("secret"), "whsec_aWRlbS10ZXN0LXNlY3JldC1mb3ItZGV2\n");
        Files.writeString(folder.resolve("plain"), "http://hooks.example.com/s3cret");
    }

    @Test
    void receiversOfEachKindAreTaken() {
        Ran ran = shell.idem(
                "serve",
                "--dry-run",
                "--notify",
                "slack:file:slack",
                "--notify",
                "webhook:https://hooks.example.com/idem",
                "--notify",
                "command:./notify.sh",
                "--notify-secret",
                "file:secret");
        assertThat(ran.out() + ran.err()).endsWith("can be served\n");
    }

    @ParameterizedTest
    @CsvSource({
        "slack:https://hooks.slack.com/s3cret, takes env:NAME or file:PATH",
        "slack:file:plain, must begin with https:",
        "slack:env:IDEM_TEST_NOT_SET, the variable is not set",
        "slack:file:s3cret-gone, can't be read as text",
        "webhook:https://hooks.example.com/?token=s3cret, an address with a query or a user may be a secret",
        "webhook:https://s3cret@hooks.example.com/, an address with a query or a user may be a secret",
        "webhook:http://hooks.example.com/, must begin with https:",
        "https://hooks.slack.com/s3cret, --notify takes webhook:URL",
        "command:, needs a program"
    })
    void aLineThatMakesNoSenseIsRefusedWithoutShowingAddresses(String notify, String why) {
        Ran ran = shell.idem("serve", "--dry-run", "--notify", notify, "--notify-secret", "file:secret");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err())
                .contains(why)
                .doesNotContain("/s3cret")
                .doesNotContain("=s3cret")
                .doesNotContain("s3cret@");
    }

    @Test
    void aWebhookNeedsASecret() {
        assertThat(shell.idem("serve", "--dry-run", "--notify", "webhook:https://hooks.example.com/")
                        .err())
                .contains("a webhook needs --notify-secret");
        assertThat(shell.idem("serve", "--dry-run", "--notify-secret", "file:secret")
                        .err())
                .contains("goes with --notify webhook:URL");
    }
}
