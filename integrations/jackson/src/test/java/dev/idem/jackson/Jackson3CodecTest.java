package dev.idem.jackson;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Codec;
import dev.idem.Idem;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class Jackson3CodecTest extends JacksonContract {
    @Override
    Idem open() {
        return Idem.builder().ledger("memory:").codec(codec()).quiet().open();
    }

    @Override
    Codec codec() {
        return new Jackson3Codec(new ObjectMapper());
    }

    @Test
    void aMapperThatLetsDataNameClassesIsRefused() {
        ObjectMapper open = JsonMapper.builder()
                .activateDefaultTyping(BasicPolymorphicTypeValidator.builder().build())
                .build();

        assertThatThrownBy(() -> new Jackson3Codec(open))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("default typing");
    }
}
