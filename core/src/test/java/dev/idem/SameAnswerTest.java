package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A type that names no class once gave the first caller its own object and every later caller another class. */
class SameAnswerTest {
    private record Line(String item, int count) {}

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    private <T> void assertSameAnswer(Class<T> type, T value) {
        Operation<T> order = idem.operation("order").key(type.getSimpleName()).returning(type);

        T first = order.run(call -> value);
        T replayed = order.run(call -> value);

        assertThat(first).isEqualTo(replayed).hasSameClassAs(replayed);
    }

    @Test
    @SuppressWarnings("rawtypes")
    void aRawListHasTheSameElementsForEveryCaller() {
        assertSameAnswer(List.class, List.of(new Line("pen", 2)));
        assertSameAnswer(Map.class, Map.of("line", new Line("pen", 2)));
    }

    @Test
    void aNumberHasTheSameClassForEveryCaller() {
        assertSameAnswer(Number.class, 7);
    }

    @Test
    void aTextHasTheSameClassForEveryCaller() {
        assertSameAnswer(CharSequence.class, new StringBuilder("pen"));
    }

    @Test
    void aRecordIsTheFirstCallersOwn() {
        Line own = new Line("pen", 2);

        assertThat(idem.operation("order").key("k").returning(Line.class).run(call -> own))
                .isSameAs(own);
    }
}
