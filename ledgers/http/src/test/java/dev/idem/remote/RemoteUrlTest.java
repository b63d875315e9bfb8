package dev.idem.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.LedgerUrl;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteUrlTest {
    private static final Map<String, String> ENV = Map.of("IDEM_TOKEN", "s3cret", "EMPTY", " ", "TWO", "a b");

    @TempDir
    Path folder;

    private static RemoteUrl parse(String url) {
        return RemoteUrl.parse(LedgerUrl.parse(url), ENV::get);
    }

    @Test
    void readsAllOfIt() {
        RemoteUrl url = parse("https://idem.internal:8443/shop/?token=env:IDEM_TOKEN&timeout=9s&ca=ca.pem");
        assertThat(url.base()).isEqualTo(URI.create("https://idem.internal:8443/shop"));
        assertThat(url.token()).isEqualTo("s3cret");
        assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(9));
        assertThat(url.authority()).isEqualTo(Path.of("ca.pem"));
        assertThat(url).hasToString("https://idem.internal:8443/shop/");
    }

    @Test
    void aSocketNeedsNoToken() {
        RemoteUrl url = parse("http+unix:/run/idem/serve.sock?timeout=1s");
        assertThat(url.socket()).isEqualTo(Path.of("/run/idem/serve.sock"));
        assertThat(url.token()).isNull();
        assertThatThrownBy(() -> parse("http+unix:/run/idem/serve.sock?token=env:IDEM_TOKEN"))
                .hasMessage("http+unix: has no option 'token'; it has timeout=5s");
        assertThatThrownBy(() -> parse("http+unix:")).hasMessageContaining("needs the path of a socket");
    }

    @Test
    void aTokenIsReadFromAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "of-a-file\n");
        assertThat(parse("https://h?token=file:" + file).token()).isEqualTo("of-a-file");
        assertThatThrownBy(() -> parse("https://h?token=file:" + folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can't be read");
    }

    @ParameterizedTest
    @CsvSource({
        "https://h,                     needs a token",
        "https://h?token=env:OTHER,     variable of 'env:OTHER' is not set",
        "https://h?token=env:EMPTY,     holds no token",
        "https://h?token=env:TWO,       holds no token",
        "https://h?tokn=env:IDEM_TOKEN, has no option 'tokn'",
        "https:h?token=env:IDEM_TOKEN,  names no server",
        "https://?token=env:IDEM_TOKEN, names no server",
        "https://h?token=env:IDEM_TOKEN&timeout=soon, timeout=soon is no duration",
    })
    void whatIsWrongIsTold(String url, String message) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://h?token=hunter2", "https://ann:hunter2@h?token=env:IDEM_TOKEN"})
    void aSecretInAUrlIsRefusedAndNotShown(String url) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token=env:NAME")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:1, true",
        "http://127.0.0.1:1, true",
        "http://[::1]:1, true",
        "http://10.0.0.1:1, false",
        "http://127.0.0.1.example.com, false",
        "http://localhost.example.com, false",
    })
    void plainHttpLeavesTheHostOnlyIfThatIsSaid(String url, boolean allowed) {
        String whole = url + "?token=env:IDEM_TOKEN";
        if (!allowed) {
            assertThatThrownBy(() -> parse(whole)).hasMessageContaining("unencrypted");
            assertThatThrownBy(() -> parse(whole + "&plain-http=off")).hasMessageContaining("unencrypted");
        }
        assertThat(parse(whole + (allowed ? "" : "&plain-http=on")).token()).isEqualTo("s3cret");
    }
}
