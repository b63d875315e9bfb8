package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 256, 10_000})
    void aKeyOfTheWrongLengthIsRefusedAndNeverCutShort(int length) {
        assertThatThrownBy(() -> new Address("s", "o", "k".repeat(length)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key has " + length + " characters")
                .hasMessageContaining("1 to 255");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "tab\t", "é", "\u0000", "line\n", "del\u007f", "😂"})
    void aKeyWithAnythingButVisibleAsciiIsRefusedWithThePlace(String key) {
        assertThatThrownBy(() -> new Address("s", "o", key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("position");
    }

    @Test
    void everyVisibleAsciiCharacterIsAllowedInAKey() {
        StringBuilder all = new StringBuilder();
        for (char c = 0x21; c <= 0x7E; c++) {
            all.append(c);
        }

        assertThat(new Address("s", "o", all.toString()).key()).hasSize(94);
        assertThat(new Address("s", "o", "k".repeat(255)).key()).hasSize(255);
    }

    @Test
    void scopesAndOperationsMayBeInAnyLanguageButNotHoldControlCharacters() {
        assertThat(new Address("名前 ß", "übermitteln 😂", "k").scope()).isEqualTo("名前 ß");

        assertThatThrownBy(() -> new Address("a\nb", "o", "k")).hasMessageContaining("scope has U+000A at position 1");
        assertThatThrownBy(() -> new Address("s", "a\ud800b", "k")).hasMessageContaining("operation has U+D800");
        assertThatThrownBy(() -> new Address("", "o", "k")).hasMessageContaining("scope has 0 characters");
    }
}
