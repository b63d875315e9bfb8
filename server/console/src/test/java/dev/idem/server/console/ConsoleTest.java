package dev.idem.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleTest {
    private final Console console = new Console();

    @ParameterizedTest
    @CsvSource({
        "'', text/html;charset=utf-8",
        "index.html, text/html;charset=utf-8",
        "lib/lit-html/lit-html.js, text/javascript;charset=utf-8",
        "lib/lit-html/directives/repeat.js, text/javascript;charset=utf-8",
    })
    void itGivesItsFiles(String path, String media) {
        Console.File file = Objects.requireNonNull(console.file(path));

        assertThat(file.media()).isEqualTo(media);
        assertThat(file.bytes()).isNotEmpty();
        assertThat(file.tag()).matches("\"[0-9a-f]{20}\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/index.html",
                ".",
                "..",
                "../console/index.html",
                "lib/../index.html",
                "lib/lit-html/../lit-html/lit-html.js",
                "lib/lit-html",
                "lib/lit-html/",
                "lib/lit-html/package.json",
                "lib/lit-html/lit-html.js.map",
                "lib/lit-html/none.js",
                "Console.class",
                "Console",
                "index.html/",
                "index%2ehtml",
                "%2e%2e/console/index.html",
                "index.html\0",
                "none.html"
            })
    void itGivesNothingElse(String path) {
        assertThat(console.file(path)).isNull();
    }

    /** The content security policy allows neither, and the page would not work. */
    @Test
    void thePageHasNoScriptsOrStylesInside() {
        Console.File file = Objects.requireNonNull(console.file(Console.INDEX));

        assertThat(new String(file.bytes(), StandardCharsets.UTF_8))
                .doesNotContainPattern("<script(?![^>]*\\ssrc=)")
                .doesNotContainPattern("<style|\\sstyle=|\\son[a-z]+=")
                .doesNotContainPattern("(?:src|href)=\"(?:[a-z]+:|/)");
    }

    @Test
    void anotherFileHasAnotherTag() {
        assertThat(Objects.requireNonNull(console.file("")).tag())
                .isEqualTo(Objects.requireNonNull(console.file("index.html")).tag())
                .isNotEqualTo(Objects.requireNonNull(console.file("lib/lit-html/lit-html.js"))
                        .tag());
    }
}
