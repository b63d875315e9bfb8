package dev.idem.server;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the methods of a server that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a token for a beginning is one for neighbours of the same beginning",
                        "dev/idem/server/Access.java",
                        "Match.prefix(text.substring(0, text.length() - 1))",
                        "Match.prefix(text.substring(0, text.length() - 2))",
                        RightsTest.class,
                        "nothingOfAnotherScopeIsShown"),
                new PlantedFault(
                        "a token is accepted after its end",
                        "dev/idem/server/TokenFile.java",
                        "token == null || token.isExpired(clocks.now().wall())",
                        "token == null",
                        TokenFileTest.class,
                        "itExpires"),
                new PlantedFault(
                        "an approval is not used up",
                        "dev/idem/server/ClaimApproval.java",
                        "ruling instanceof Ruling.Granted given && approvals.use(given, granted)) {",
                        "ruling instanceof Ruling.Granted) {",
                        ClaimApprovalTest.class,
                        "anApprovalIsUsedUpForOneGrant"),
                new PlantedFault(
                        "half a line is taken for a request",
                        "dev/idem/server/StdioCarrier.java",
                        "return null;\n            }\n            if (++length",
                        "return line.size() == 0 ? null : line.toByteArray();\n"
                                + "            }\n"
                                + "            if (++length",
                        StdioCarrierTest.class,
                        "halfALineIsNoRequest"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
