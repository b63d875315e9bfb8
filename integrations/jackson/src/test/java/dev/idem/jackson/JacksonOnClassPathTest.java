package dev.idem.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Codec;
import dev.idem.Idem;
import dev.idem.Operation;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a word about Jackson in the code that opens Idem. */
class JacksonOnClassPathTest extends JacksonContract {
    @Override
    Idem open() {
        return Idem.builder().ledger("memory:").quiet().open();
    }

    @Override
    Codec codec() {
        return new JacksonOnClassPath();
    }

    record Listed(String id) {}

    @Test
    void typesThatCoreStoresItselfAreStoredAsWithoutJackson() {
        try (Idem idem = open()) {
            Operation<Listed> charge = idem.operation("charge").key("k").returning(Listed.class);
            charge.attempt(call -> new Listed("r1"));

            assertThat(idem.find(new dev.idem.Address("default", "charge", "k"))
                            .orElseThrow()
                            .result()
                            .toString())
                    .contains("json")
                    .doesNotContain("jackson");
        }
    }

    /** Hides classes, as if their jars were not there. */
    private static final class Hiding extends ClassLoader {
        private final Set<String> packages;

        Hiding(Set<String> packages) {
            super(JacksonOnClassPathTest.class.getClassLoader());
            this.packages = packages;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (packages.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools.jackson", "com.fasterxml.jackson"})
    void eitherVersionIsEnough(String hidden) {
        assertThat(new JacksonOnClassPath(new Hiding(Set.of(hidden))).handles(Receipt.class))
                .isTrue();
    }

    @Test
    void withoutJacksonNoTypeIsHandled() {
        Codec none = new JacksonOnClassPath(new Hiding(Set.of("tools.jackson", "com.fasterxml.jackson")));

        assertThat(none.handles(Receipt.class)).isFalse();
    }

    @Test
    void withoutJacksonTheRefusalAsksForJacksonAndNotForIdemJackson() {
        Codec none = new JacksonOnClassPath(new Hiding(Set.of("tools.jackson", "com.fasterxml.jackson")));

        try (Idem idem = Idem.builder().ledger("memory:").codec(none).quiet().open()) {
            assertThatThrownBy(() -> idem.operation("draw").returning(Shape.class))
                    .hasMessageContaining("neither Jackson 2 nor Jackson 3 is: add tools.jackson.core:jackson-databind")
                    .hasMessageNotContaining("add idem-jackson");
        }
    }
}
