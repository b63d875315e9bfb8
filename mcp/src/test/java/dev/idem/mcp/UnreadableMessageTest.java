package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.stdio.Lines;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message that the guard does not pass on. Hosts wait for an answer under its id, and got one without an id. */
class UnreadableMessageTest {
    static final String HALF_AN_EMOJI = TestHost.call(7, "pay", "{\"id\":\"x\",\"to\":\"\\ud83d\"}");

    @Test
    void halfAnEmojiIsAnsweredUnderTheIdOfItsCall(@TempDir Path folder) throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open();
                TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            host.send(HALF_AN_EMOJI);

            assertThat(host.answer(7).isError()).isTrue();
            assertThat(host.effects()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "none", textBlock = """
            {"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}         | 1
            {"jsonrpc":"1.0","id":"a b","method":"ping"}                           | "a b"
            {"method":"ping","params":{"id":5},"id":-2.5,"x":01}                   | -2.5
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pa     | 1
            {"jsonrpc":"2.0","id":3,"method":"ping","method":"tools/call"}         | 3
            {"jsonrpc":"2.0","id":3,"result":{"text":"\\ud83d"}}                   | none
            {"jsonrpc":"2.0","id":{"a":1},"method":"ping"}                         | none
            {"jsonrpc":"2.0","id":tru,"method":"ping"}                             | none
            [{"jsonrpc":"2.0","id":1,"method":"ping"}]                             | none
            {"jsonrpc":"2.0","id":1,"meth                                          | none
            {"jsonrpc"::"2.0","id":1,"method":"ping"}                              | none
            {                                                                      | none
            ``                                                                     | none
            """)
    void theIdIsTakenOnlyWhereItCanBeRead(String line, String id) {
        assertThat(Message.idOfUnreadable(line.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(id);
    }

    @Test
    void aMessageThatIsTooLongHasTheIdOfItsBeginning() throws Exception {
        byte[] text = (TestHost.call(7, "pay", "{\"to\":\"" + "x".repeat(500) + "\"}") + "\n")
                .getBytes(StandardCharsets.UTF_8);
        Lines lines = new Lines(new ByteArrayInputStream(text), 200);
        String id = null;
        try {
            lines.next();
        } catch (Lines.TooLong e) {
            id = Message.idOfUnreadable(e.beginning());
        }

        assertThat(id).isEqualTo("7");
    }
}
