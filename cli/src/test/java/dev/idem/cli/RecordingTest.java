package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.cli.recorded.CommandCodec;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.Recorded;
import dev.idem.cli.recorded.Recording;
import dev.idem.spi.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordingTest {
    private final CommandCodec codec = new CommandCodec();

    private CommandResult roundTrip(CommandResult result) throws IOException {
        return (CommandResult) codec.decode(codec.encode(result, CommandResult.class), CommandResult.class);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void bothStreamsShareOneCapAndBeyondItNothingIsKept() {
        Recording recording = new Recording(10);
        recording.stdout().write(utf8("12345"), 5);
        recording.stderr().write(utf8("abcdeXXX"), 5);
        assertThat(recording.recorded().whole()).isTrue();
        assertThat(recording.recorded().stderr()).isEqualTo(utf8("abcde"));
        recording.stdout().write(utf8("6"), 1);
        assertThat(recording.recorded().whole()).isFalse();
        assertThat(recording.recorded().total()).isEqualTo(11);
        assertThat(recording.recorded().stdout()).isEmpty();
    }

    @Test
    void whatIsStillWrittenEmptiesNothingThatIsSaidToBeWhole() throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            Recording recording = new Recording(10);
            recording.stdout().write(utf8("12345"), 5);
            Thread writer = new Thread(() -> recording.stdout().write(utf8("678901"), 6));
            writer.start();
            Recorded seen;
            do {
                seen = recording.recorded();
                if (seen.whole()) {
                    assertThat(seen.stdout()).isEqualTo(utf8("12345"));
                }
            } while (seen.whole());
            writer.join();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "plain", "no final newline\nx", "\"quoted\\ \t\r\n\u0000\u0001\u001f\u007f", "ä€😀\u2028"})
    void textStaysReadableAndComesBackByteByByte(String text) throws IOException {
        Payload payload =
                codec.encode(CommandResult.of(3, Recorded.of(utf8(text), utf8("e" + text))), CommandResult.class);
        assertThat(Json.parse(payload.bytes()))
                .isEqualTo(Map.of("exit_code", 3L, "stdout", text, "stderr", "e" + text));
        CommandResult back = (CommandResult) codec.decode(payload, CommandResult.class);
        assertThat(back.exitCode()).isEqualTo(3);
        assertThat(back.output().stdout()).isEqualTo(utf8(text));
        assertThat(back.output().stderr()).isEqualTo(utf8("e" + text));
    }

    @Test
    void bytesThatAreNoTextComeBackByteByByte() throws IOException {
        byte[] bytes = new byte[70_001];
        new Random(7).nextBytes(bytes);
        byte[] surrogate = {(byte) 0xED, (byte) 0xA0, (byte) 0x80};
        CommandResult back = roundTrip(CommandResult.of(0, Recorded.of(bytes, surrogate)));
        assertThat(back.output().stdout()).isEqualTo(bytes);
        assertThat(back.output().stderr()).isEqualTo(surrogate);
    }

    @Test
    void aResultResolvedByHandSaysSo() throws IOException {
        assertThat(roundTrip(CommandResult.resolvedByHand()).resolved()).isTrue();
        assertThat(roundTrip(CommandResult.of(0, Recorded.nothing())).resolved())
                .isFalse();
    }

    @Test
    void ofOutputThatIsTooLargeTheExitAndTheSizeAreKept() throws IOException {
        CommandResult back = roundTrip(CommandResult.of(4, Recorded.notKept(20_000_000)));
        assertThat(back.exitCode()).isEqualTo(4);
        assertThat(back.output().whole()).isFalse();
        assertThat(back.output().total()).isEqualTo(20_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"exit_code\":0}", "{\"exit_code\":\"0\",\"stdout\":\"\",\"stderr\":\"\"}"})
    void whatIsNoRecordedCommandIsRefused(String json) {
        assertThatThrownBy(
                        () -> codec.decode(Payload.of(utf8(json), "application/json", "command"), CommandResult.class))
                .isInstanceOf(IOException.class);
    }
}
