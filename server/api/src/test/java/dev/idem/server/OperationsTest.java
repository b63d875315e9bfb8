package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationsTest {
    @Test
    void itHasWhatWasSaid() {
        Operations read = Operations.read("""
            {"charge": {"title": "Charge", "link": "https://dashboard.stripe.com/search?query={key}",
              "amount": "cents", "currency": "USD"},
             "send_email": {}}
            """);
        assertThat(read.members())
                .isEqualTo(Map.of(
                        "charge",
                        Map.of(
                                "title", "Charge",
                                "link", "https://dashboard.stripe.com/search?query={key}",
                                "amount", "cents",
                                "currency", "USD"),
                        "send_email",
                        Map.of()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com/",
                "https://example.com/{scope}/{operation}?q={key}#{label:customer id}",
                "https://example.com:8443/a%20b?{label:x}={label:x}"
            })
    void aLinkMayHaveFields(String link) {
        assertThat(Operations.read("{\"o\":{\"link\":\"" + link + "\"}}")
                        .members()
                        .get("o"))
                .containsEntry("link", link);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://example.com/{key}| o.link must be https://",
                "//example.com/{key}| o.link must be https://",
                "javascript:alert(1)//| o.link must be https://",
                "https://{key}/| o.link must be https://",
                "https://{key}.example.com/| o.link must be https://",
                "https://example.com{key}/| o.link must be https://",
                "https://example.com| o.link must be https://",
                "https://ann@example.com/| o.link must be https://",
                "https:///x| o.link must be https://",
                "https://example.com/a b| o.link must be https://",
                "https://example.com/{key| o.link must be https://",
                "https://example.com/{id}| o.link has {id}, which is not known; there are {key}",
                "https://example.com/{label:}| o.link has {label:}, which is not known",
            })
    void aWrongLinkIsRefused(String link, String why) {
        assertThatThrownBy(() -> Operations.read("{\"o\":{\"link\":\"" + link + "\"}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense| it is no JSON",
                "[]| the file must be an object",
                "{\"o\":\"Charge\"}| o must be an object",
                "{\"o\":{\"titel\":\"Charge\"}}| o.titel is not known; an operation has title, link, amount, currency",
                "{\"o\":{\"title\":1}}| o.title must be a text",
                "{\"o\":{\"title\":\" \"}}| o.title must be a text",
                "{\"o\":{\"title\":null}}| o.title must be a text",
                "{\"o\":{\"currency\":\"USD\"}}| o.currency is a code such as USD, and goes with the amount",
                "{\"o\":{\"amount\":\"cents\",\"currency\":\"dollar\"}}| o.currency is a code such as USD",
            })
    void whatIsWrongIsNamed(String json, String why) {
        assertThatThrownBy(() -> Operations.read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(why);
    }
}
