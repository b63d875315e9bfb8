package dev.idem.mcp;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the guard of MCP servers that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "the header that names the tenant does not tell users apart",
                        "dev/idem/mcp/http/UserHeaders.java",
                        "            \"tenant\",\n",
                        "",
                        HttpUsersTest.class,
                        "whateverNamesTheUserKeepsResultsApart"),
                new PlantedFault(
                        "a redirect after the effect counts as a server that has moved",
                        "dev/idem/mcp/http/HttpUpstream.java",
                        "new NoAnswerException(\"it was answered with a redirect: \"",
                        "new NotExecutedException(\"it was answered with a redirect: \"",
                        HttpProxyTest.class,
                        "aLostAnswerLeavesADoubtAndRunsOnce"),
                new PlantedFault(
                        "the words of an error alone prove that the tool was not reached",
                        "dev/idem/mcp/guard/McpGuard.java",
                        "                && shown.rulesOut(sent)\n                && listed.shownTo(host).rulesOut(sent);",
                        ";",
                        RuledToolsTest.class,
                        "anErrorThatAToolPassesOnProvesNothing"),
                new PlantedFault(
                        "the list of one host proves something about the calls of another",
                        "dev/idem/mcp/http/HttpHeaders.java",
                        "CallKey.digest(forStream().lines.toString())",
                        "CallKey.digest(\"\")",
                        HttpProxyTest.class,
                        "onlyTheListThatThisHostWasShownProvesThatAToolIsNotThere"),
                new PlantedFault(
                        "a lost connection counts as the end of a call",
                        "dev/idem/mcp/guard/McpGuard.java",
                        "if (upstream.endsAreSeen()) {",
                        "if (running != null) {",
                        LostConnectionTest.class,
                        "noProbeIsAskedWhileTheServerMayStillWork"),
                new PlantedFault(
                        "a probe that could not look proves that nothing happened",
                        "dev/idem/mcp/guard/AskedTool.java",
                        "rule.absentIsProof() && looked ?",
                        "rule.absentIsProof() ?",
                        RuledToolsTest.class,
                        "aProbeThatDidNotLookProvesNothing"),
                new PlantedFault(
                        "a call of which the server got a part counts as one that did nothing",
                        "dev/idem/mcp/stdio/StdioRelay.java",
                        "new NoAnswerException(\"the server went while the call was sent\")",
                        "new NotExecutedException(\"the server went while the call was sent\")",
                        StubbornServerTest.class,
                        "aCallThatIsReadOnlyInPartIsInDoubt"),
                new PlantedFault(
                        "a probe may search for the words of a repeat, and not for those of the call in doubt",
                        "dev/idem/mcp/McpRules.java",
                        "requireIdentity(node, probe, identity);",
                        "",
                        McpRulesTest.class,
                        "whatIsNotKnownIsAnErrorWithItsLine"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
