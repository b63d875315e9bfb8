package dev.idem.cli;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the command line that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a command that may have done its work is tried again",
                        "dev/idem/cli/run/Retrying.java",
                        "left > 0 && (doubtful == null || request.sideEffect() == SideEffect.IDEMPOTENT)",
                        "left > 0",
                        RunAgainTest.class,
                        "whatMayHaveHappenedIsNotTriedAgain"),
                new PlantedFault(
                        "a plan resolves what has changed since a person saw it",
                        "dev/idem/cli/entry/ResolvingMany.java",
                        "entry.fence().equals(each.fence())\n"
                                + "                    && entry.state() != State.IN_PROGRESS\n"
                                + "                    && (dry || ledger.resolve(each.address(), each.fence(),",
                        "entry.state() != State.IN_PROGRESS\n"
                                + "                    && (dry || ledger.resolve(each.address(), entry.fence(),",
                        EntryCommandsTest.class,
                        "entriesInDoubtHadToBeResolvedOneByOne"),
                new PlantedFault(
                        "an attempt that runs here counts as the result that is imported",
                        "dev/idem/cli/upkeep/Imported.java",
                        "case IN_PROGRESS -> false;",
                        "case IN_PROGRESS -> true;",
                        ImportTest.class,
                        "anEntryThatIsRunningHereIsNotAlreadyThere"),
                new PlantedFault(
                        "an endpoint that failed has the exit code of one that refused",
                        "dev/idem/cli/webhook/Endpoint.java",
                        "Answer.no(ExitCode.PARTIAL_FAILURE, \"FAILED\",",
                        "Answer.no(ExitCode.GENERAL_ERROR, \"FAILED\",",
                        WebhookCommandTest.class,
                        "theExitSaysHowItEnded"),
                new PlantedFault(
                        "a word that comes through a pipe counts as the consent of a person",
                        "dev/idem/cli/mcp/InstallCommand.java",
                        "} else if (!person) {",
                        "} else if (changing.isEmpty()) {",
                        McpInstallTest.class,
                        "withoutATerminalAndWithoutYesNothingIsChanged"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
