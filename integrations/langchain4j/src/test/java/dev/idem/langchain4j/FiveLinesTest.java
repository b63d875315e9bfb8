package dev.idem.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;
import org.junit.jupiter.api.Test;

/** The lines that docs/frameworks.md shows. */
class FiveLinesTest {
    @Test
    void theLinesOfThePageGuardTheShop() {
        ScriptedModel model = new ScriptedModel()
                .calls("charge", "{\"customer\":\"cus_1\",\"cents\":4200}")
                .calls("charge", "{\"customer\":\"cus_1\",\"cents\":4200}")
                .says("done");
        try (Idem idem = Idem.open("memory:")) {
            interface Assistant {
                String chat(@MemoryId String session, @UserMessage String text);
            }

            Assistant assistant = AiServices.builder(Assistant.class)
                    .chatModel(model)
                    .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(20))
                    .toolProvider(IdemTools.of(idem, new Shop()))
                    .build();
            assistant.chat("order-flow-abc123", "Charge cus_1 42 dollars");
        }

        assertThat(model.told().get(1)).contains("ch_1").isEqualTo(model.told().get(0));
        assertThat(model.notes().get(1)).contains("nothing ran again");
    }
}
