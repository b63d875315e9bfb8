package dev.idem.server.notice;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the messages to people that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(new PlantedFault(
                "a message without an answer is sent again to a receiver that shows each one",
                "dev/idem/server/notice/Outbox.java",
                "case UNKNOWN -> !channel.dropsRepeats();",
                "case UNKNOWN -> false;",
                ReceiverTroubleTest.class,
                "slackGetsAMessageWithoutAnAnswerOnceAndOneThatItRefusedAgain"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
