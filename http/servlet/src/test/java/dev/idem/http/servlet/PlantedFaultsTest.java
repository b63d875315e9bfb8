package dev.idem.http.servlet;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the filter that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "an exception around that of a step that did not run frees the key",
                        "dev/idem/http/servlet/Dispatching.java",
                        "while (found instanceof ServletException && found.getCause() != null)",
                        "while (found.getCause() != null)",
                        FilterTest.class,
                        "aStepThatWasNotExecutedSaysNothingAboutTheHandler"),
                new PlantedFault(
                        "what an earlier filter has left of a body is taken for the whole",
                        "dev/idem/http/servlet/GuardedRequest.java",
                        "boolean lacksBytes = read.size() < getContentLengthLong() && super.getHeader(\"Content-Encoding\") == null;",
                        "boolean lacksBytes = read.size() > getContentLengthLong();",
                        BodiesReadBeforeTest.class,
                        "aBodyThatAnEarlierFilterHasReadIsRefusedAndNothingRuns"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
