package dev.idem.jackson;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.idem.Codec;
import dev.idem.Idem;
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

    @Test
    void a_mapper_that_lets_data_name_classes_is_refused() {
        ObjectMapper open = new ObjectMapper()
                .activateDefaultTyping(BasicPolymorphicTypeValidator.builder().build());

        assertThatThrownBy(() -> new Jackson2Codec(open))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("default typing");
    }
}
