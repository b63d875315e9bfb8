package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of {@code idem mcp}. */
class McpCommandTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void openShell() {
        shell = new InProcess(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --upstream http://127.0.0.1:1/mcp -- true              | give one of these, not both
            --name x                                              | there is no command to run
            --upstream mail                                       | --upstream: write the URL of the server
            --upstream ftp://mail.example                         | --upstream: write the URL of the server
            --upstream https://ann:secret@mail.example/mcp        | --upstream: the URL has no user, password or fragment
            --upstream http://127.0.0.1:1/mcp --listen 8931       | --listen: write HOST:PORT
            --upstream http://127.0.0.1:1/mcp --listen a:99999    | --listen: write HOST:PORT
            --upstream http://127.0.0.1:1/mcp --listen 0.0.0.0:0  | --listen: name one address of this machine
            --upstream http://127.0.0.1:1/mcp --listen [::]:0     | --listen: name one address of this machine
            --upstream http://127.0.0.1:1/mcp --listen 192.0.2.1:0 | --user-header X-Forwarded-Email
            --upstream http://127.0.0.1:1/mcp --listen 192.0.2.1:0 | --single-user
            --upstream http://127.0.0.1:1/mcp --listen 192.0.2.1:0 --user-header X: | --user-header: 'X:' is no header that can name a user
            --upstream http://127.0.0.1:1/mcp --listen 192.0.2.1:0 --user-header host | --user-header: 'host' is no header that can name a user
            --upstream http://127.0.0.1:1/mcp --listen 192.0.2.1:0 --user-header X --single-user | --single-user: with --user-header
            --single-user -- sh                                   | give its --upstream
            """)
    void aWrongLineSaysWhatToWrite(String line, String message) {
        Ran ran = shell.idem(("mcp " + line).split(" ", -1));

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains(message).doesNotContain("secret");
    }

    @Test
    void aDryRunOfAServerOverHttpListensNowhere() {
        Ran ran = shell.idem("mcp", "--dry-run", "--name", "mail", "--upstream", "http://127.0.0.1:1/mcp");

        assertThat(ran.exit()).isZero();
        assertThat(ran.err()).contains("'mail' can be guarded");
    }

    @Test
    void rulesThatAreWrongOverHttpAreToldByADryRun() throws IOException {
        Files.writeString(folder.resolve("rules.yaml"), """
                version: 1
                tools:
                  pay: {probe: {tool: find, found: /0, absent: not_executed}}
                """);
        String[] line = {"mcp", "--dry-run", "--rules", "rules.yaml", "--upstream", "http://127.0.0.1:1/mcp"};
        Ran ran = shell.idem(line);

        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("--rules: rules.yaml, line 3", "time_limit: 10m");
        line[4] = "--";
        line[5] = "sh";
        assertThat(shell.idem(line).exit()).as("a process is seen to end").isZero();
    }

    /** The address is of another machine, so that only the check before it passes. */
    @ParameterizedTest
    @ValueSource(strings = {"--single-user", "--user-header=X-Forwarded-Email"})
    void aGuardBeyondThisMachineStartsWhenItKnowsItsUsers(String option) {
        Ran ran = shell.idem("mcp", "--upstream", "http://127.0.0.1:1/mcp", "--listen", "192.0.2.1:0", option);

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("can't listen at 192.0.2.1:0");
    }

    /** What the limit does is seen at a process; here that it is set, because nobody waits there for half a minute. */
    @Test
    void aSlowRequestHadNoLimit() {
        String limit = "sun.net.httpserver.maxReqTime";
        System.clearProperty(limit);
        shell.idem("mcp", "--upstream", "http://127.0.0.1:1/mcp", "--listen", "192.0.2.1:0", "--single-user");

        assertThat(System.getProperty(limit)).isEqualTo("30");
    }

    @Test
    void aPlaceThatIsNotThereIsTold() {
        Ran ran = shell.idem("mcp", "--upstream", "http://127.0.0.1:1/mcp", "--listen", "no-such-host.invalid:0");

        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("can't listen at no-such-host.invalid:0", "--listen");
    }
}
