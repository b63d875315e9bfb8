package dev.idem.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Codec;
import dev.idem.TypeRef;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CodecsTest {
    private final Codecs codecs = new Codecs(List.of(), 1_000, 100_000);

    record Line(String sku, int count, BigDecimal price) {}

    record Order(UUID id, Instant at, List<Line> lines, Map<String, Boolean> flags) {}

    @Test
    void recordsReplayAsWhatTheyWereAndStayReadable() throws Exception {
        Order order = new Order(
                UUID.fromString("7b0e7d36-4f5f-4f0e-9d0a-7d1c2b3a4e5f"),
                Instant.parse("2026-03-01T12:00:00.123456789Z"),
                List.of(new Line("ä-1", 2, new BigDecimal("19.99000000000000000001"))),
                Map.of("gift", true));

        Payload payload = stored(order, Order.class);

        assertThat(text(payload))
                .startsWith("{\"id\":\"7b0e7d36")
                .contains("ä-1")
                .contains("19.99000000000000000001");
        assertThat(payload.mediaType()).isEqualTo("application/json");
        assertThat(codecs.decode(payload, Order.class)).isEqualTo(order);
    }

    @Test
    void typesWithArgumentsReplay() throws Exception {
        Type type = new TypeRef<List<Line>>() {}.type();
        List<Line> lines = List.of(new Line("a", 1, BigDecimal.ONE), new Line("b", 2, BigDecimal.TEN));

        assertThat(codecs.decode(stored(lines, type), type)).isEqualTo(lines);
    }

    @Test
    void textAndBytesAreStoredAsTheyAre() throws Exception {
        byte[] bytes = {0, -1, 127, -128};

        assertThat(text(stored("grüße", String.class))).isEqualTo("grüße");
        assertThat(stored(bytes, byte[].class).bytes()).isEqualTo(bytes);
        assertThat(codecs.decode(stored(bytes, byte[].class), byte[].class)).isEqualTo(bytes);
    }

    @Test
    void nullIsAValueOfEveryType() throws Exception {
        assertThat(codecs.decode(stored(null, String.class), String.class)).isNull();
        assertThat(codecs.decode(stored(null, Order.class), Order.class)).isNull();
        assertThat(codecs.decode(stored("null", String.class), String.class)).isEqualTo("null");
    }

    @Test
    void whatIsEmptyIsNotNull() throws Exception {
        Type optional = new TypeRef<Optional<String>>() {}.type();
        assertThat(codecs.decode(stored(Optional.empty(), optional), optional)).isEqualTo(Optional.empty());
        assertThat(codecs.decode(stored(Optional.of("a"), optional), optional)).isEqualTo(Optional.of("a"));
        assertThat(codecs.decode(stored(null, optional), optional)).isNull();
        assertThat(codecs.decode(stored(OptionalInt.empty(), OptionalInt.class), OptionalInt.class))
                .isEqualTo(OptionalInt.empty());
        assertThat(codecs.decode(stored(OptionalLong.of(7), OptionalLong.class), OptionalLong.class))
                .isEqualTo(OptionalLong.of(7));
    }

    @Test
    void longTextIsCompressedAndShortTextIsNot() throws Exception {
        String longText = "all work and no play ".repeat(100);

        Payload payload = stored(longText, String.class);

        assertThat(payload.encoding()).isEqualTo(Payload.GZIP);
        assertThat(payload.bytes().length).isLessThan(longText.length() / 5);
        assertThat(codecs.decode(payload, String.class)).isEqualTo(longText);
        assertThat(stored("short", String.class).encoding()).isEqualTo(Payload.IDENTITY);
    }

    @Test
    void whatIsTooLargeOrHasNoFormIsUnavailableAndNeverThrows() {
        assertThat(codecs.encode("x".repeat(100_001), String.class))
                .isEqualTo(new Result.Unavailable("it has 100001 bytes, and at most 100000 are stored"));
        assertThat(codecs.encode(new Object(), Object.class)).isInstanceOf(Result.Unavailable.class);
        assertThat(codecs.encode("lone \ud800 surrogate", String.class)).isInstanceOf(Result.Unavailable.class);
    }

    @Test
    void anUnknownCodecIsAnErrorThatSaysWhatToDo() {
        Payload foreign = Payload.of(new byte[1], "application/avro", "avro");

        assertThatThrownBy(() -> codecs.decode(foreign, Order.class)).hasMessageContaining("add it with codec(...)");
    }

    @Test
    void aCodecOfTheCallerComesFirst() throws Exception {
        Codecs own = new Codecs(List.of(new Shouting()), 1_000, 100_000);

        Payload payload = ((Result.Stored) own.encode("quiet", String.class)).payload();

        assertThat(text(payload)).isEqualTo("QUIET");
        assertThat(own.decode(payload, String.class)).isEqualTo("quiet");
    }

    private Payload stored(Object value, Type type) {
        return ((Result.Stored) codecs.encode(value, type)).payload();
    }

    private static String text(Payload payload) {
        return new String(payload.bytes(), StandardCharsets.UTF_8);
    }

    private static final class Shouting implements Codec {
        @Override
        public String name() {
            return "shouting";
        }

        @Override
        public boolean handles(Type type) {
            return type == String.class;
        }

        @Override
        public Payload encode(Object value, Type type) {
            return Payload.of(
                    ((String) value).toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8), "text/plain", name());
        }

        @Override
        public Object decode(Payload payload, Type type) {
            return text(payload).toLowerCase(Locale.ROOT);
        }
    }
}
