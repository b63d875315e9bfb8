package dev.idem.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.idem.Codec;
import dev.idem.Idem;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class Jackson2CodecTest extends JacksonContract {
    @Override
    Idem open() {
        return Idem.builder().ledger("memory:").codec(codec()).quiet().open();
    }

    @Override
    Codec codec() {
        return new Jackson2Codec(new ObjectMapper());
    }

    public static class Dated {
        public LocalDate on = LocalDate.EPOCH;
    }

    public static class Dates {
        public List<LocalDate> all = List.of();
    }

    /** The date is written, and not read back. */
    public static class Due {
        public String id = "";

        public LocalDate getDue() {
            return LocalDate.EPOCH;
        }
    }

    /** A mapper without the module for dates writes none of them: the action ran, and its result was lost. */
    @Test
    void aBeanWithADateThatTheMapperHasNoModuleForIsRefused() {
        for (Class<?> type : List.of(Dated.class, Dates.class, Due.class)) {
            assertThat(codec().handles(type)).as("%s", type).isFalse();
            assertThat(codec().refusal(type))
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("java.time.LocalDate", "jackson-datatype-jsr310"));
        }
    }

    @Test
    void aMapperThatLetsDataNameClassesIsRefused() {
        ObjectMapper open = new ObjectMapper()
                .activateDefaultTyping(BasicPolymorphicTypeValidator.builder().build());

        assertThatThrownBy(() -> new Jackson2Codec(open))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("default typing");
    }
}
