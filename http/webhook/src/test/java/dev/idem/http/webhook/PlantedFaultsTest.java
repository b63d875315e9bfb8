package dev.idem.http.webhook;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the endpoint for webhooks that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "of two times in a header the first one counts",
                        "dev/idem/http/webhook/Verifier.java",
                        "return found.size() == 1 ?",
                        "return !found.isEmpty() ?",
                        VerifierTest.class,
                        "aSecondTimeInAGenuineHeaderIsRefused"),
                new PlantedFault(
                        "an answer that asks for another delivery is recorded as the end",
                        "dev/idem/http/webhook/WebhookEndpoint.java",
                        "if (answer != null && !answer.accepted()) {",
                        "if (answer != null && answer.status() == 500) {",
                        WebhookEndpointTest.class,
                        "anAnswerOfTheHandlerThatAsksForAnotherDeliveryWasRecordedAndAnsweredThatToo"),
                new PlantedFault(
                        "the error about a secret has a cause that may show it",
                        "dev/idem/http/webhook/Secret.java",
                        "+ \" in base64; give it as the sender shows it\");",
                        "+ \" in base64; give it as the sender shows it\", e);",
                        VerifierTest.class,
                        "aSecretThatCanNotBeRightIsRefusedAtTheStart"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
