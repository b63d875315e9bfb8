package dev.idem.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseEventsTest {
    private static SseEvents events(String text) {
        return new SseEvents(in(text));
    }

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> data(SseEvents events) throws IOException {
        List<String> data = new ArrayList<>();
        for (SseEvents.Event event = events.next(); event != null; event = events.next()) {
            data.add(new String(event.data(), StandardCharsets.UTF_8));
        }
        return data;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void linesEndInThreeWays(String end) throws IOException {
        String text =
                "data: {\"a\":" + end + "data:1}" + end + end + ": comment" + end + end + "data: \u00e9" + end + end;

        assertThat(data(events(text))).containsExactly("{\"a\": 1}", "", "\u00e9");
    }

    @Test
    void aByteOrderMarkIsLeftOut() throws IOException {
        assertThat(data(events("\uFEFFdata: 1\n\n\uFEFFdata: 2\n\n"))).containsExactly("1", "");
    }

    /** Some servers leave out the last blank line; others were cut off. */
    @Test
    void aLastEventWithoutABlankLineCountsIfItIsAMessage() throws IOException {
        String message = "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}";

        assertThat(data(events("data: " + message + "\n"))).containsExactly(message);
        assertThat(data(events("data: " + message.substring(0, 20) + "\n"))).isEmpty();
    }

    @Test
    void aStreamGoesOnAfterItsLastWholeEvent() throws IOException {
        SseEvents events = events("id: 1\nretry: 7\ndata: 1\n\nid: 2\ndata: {");
        data(events);
        assertThat(events.lastId()).isEqualTo("1");
        assertThat(events.pause()).isEqualTo(7);

        SseEvents next = events.goneOn(in("data: 2\n\n"));
        data(next);
        assertThat(next.lastId()).isEqualTo("1");
        assertThat(next.pause()).isEqualTo(7);
        SseEvents last = next.goneOn(in("id\nretry: 99999999\ndata: 3\n\n"));
        data(last);
        assertThat(last.lastId()).isNull();
        assertThat(last.pause()).isEqualTo(10_000);
    }
}
