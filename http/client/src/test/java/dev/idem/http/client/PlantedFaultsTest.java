package dev.idem.http.client;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the clients that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a refusal clears the doubt that an earlier request has left",
                        "dev/idem/http/client/Verdict.java",
                        "if (doubted && status >= SUCCESS_END",
                        "if (doubted && status < SUCCESS_END",
                        StatusTableTest.class,
                        "aRefusalAfterADoubtReleasesNothing"),
                new PlantedFault(
                        "a probe is asked while a lost request may still be under way",
                        "dev/idem/http/client/Sending.java",
                        "declared.probeGrace(declared.timeLimit())",
                        "declared.probeGrace(java.time.Duration.ZERO)",
                        IdemHttpClientTest.class,
                        "noProbeIsAskedWhileTheRemoteMayStillWorkOnALostRequest"),
                new PlantedFault(
                        "a response that was cut off is recorded as the whole",
                        "dev/idem/http/client/Bodies.java",
                        "if (body != null && announced >= 0 && (exact ? body.length != announced : body.length < announced)) {",
                        "if (body != null && announced >= 0 && exact && body.length > announced) {",
                        CutResponseTest.class,
                        "aResponseOverHttp2WithAWrongLengthWasRecordedAsComplete"),
                new PlantedFault(
                        "a response that was cut off inside its headers is recorded as an empty one",
                        "dev/idem/http/client/IdemRequestInterceptor.java",
                        "if (LenientClients.gave(sent)) {",
                        "if (!LenientClients.gave(sent)) {",
                        CutResponseTest.class,
                        "aResponseThatWasCutInsideItsHeadersWasRecordedAsComplete"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
