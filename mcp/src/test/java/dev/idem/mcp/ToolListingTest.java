package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.idem.mcp.NoToolListException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("counts the children of this process")
class ToolListingTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private ToolList list(String way, Duration limit) throws Exception {
        return ToolListing.of(TestHost.command(ListingServer.class, folder, way), "1", limit);
    }

    private List<String> names(ToolList list) {
        return list.tools().stream().map(ToolList::name).toList();
    }

    private String received() throws IOException {
        return Files.readString(folder.resolve("received"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "asks", "banner", "late"})
    void allPagesAreReadAndNoToolIsCalled(String way) throws Exception {
        ToolList list = list(way, LONG);

        assertThat(names(list)).containsExactly("find", "send", "drop", "put");
        assertThat(list.server()).isEqualTo(way.equals("late") ? "late 2" : "listing 1.2");
        assertThat(list.remarks())
                .contains("the tool 'send' is there twice; the first one counts", "a tool without a name was left out");
        assertThat(received()).contains("tools/list", "\"three\"").doesNotContain("tools/call");
        assertThat(received().contains("notifications/initialized")).isEqualTo(!way.equals("late"));
        assertThat(String.join("\n", list.remarks()).contains("Server is starting"))
                .isEqualTo(way.equals("banner"));
    }

    @Test
    void aServerThatAsksGetsAnAnswer() throws Exception {
        list("asks", LONG);
        assertThat(received()).contains("\"id\":\"p\",\"result\":{}").contains("\"id\":1,\"error\":{\"code\":-32601");
    }

    @Test
    void aServerWithoutToolsHasAnEmptyList() throws Exception {
        assertThat(list("without-tools", LONG).tools()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ends    | SERVER_ENDED | the server ended with exit code 3 before it answered initialize
            garbage | NOT_MCP      | It wrote a line to stdout that is no message: Server is starting [31m ...
            flood   | NOT_MCP      | the command does not speak MCP on stdout
            refuses | REFUSED      | the server refuses tools/list (no key in the [2Jenvironment)
            endless | REFUSED      | the list of the server does not end: it has 3 tools so far
            """)
    void aServerThatListsNothingIsAClearError(String way, Reason reason, String message) {
        NoToolListException thrown = catchThrowableOfType(NoToolListException.class, () -> list(way, LONG));
        assertThat(thrown).hasMessageContaining(message);
        assertThat(thrown.reason()).isEqualTo(reason);
    }

    @Test
    void aSilentServerIsGivenUpAtTheTimeLimit() {
        NoToolListException thrown =
                catchThrowableOfType(NoToolListException.class, () -> list("silent", Duration.ofSeconds(1)));
        assertThat(thrown.reason()).isEqualTo(Reason.NO_ANSWER);
        assertThat(thrown).hasMessage("the server did not answer initialize within 1 s");
    }

    @Test
    void theServerHasEndedAfterwards() throws Exception {
        list("usual", LONG);
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void aCommandThatIsNotThereIsToldAtOnce() {
        assertThatThrownBy(
                        () -> ToolListing.of(List.of(folder.resolve("nothing").toString()), "1", LONG))
                .isInstanceOf(IOException.class);
    }
}
