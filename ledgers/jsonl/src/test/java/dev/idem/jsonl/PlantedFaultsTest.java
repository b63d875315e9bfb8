package dev.idem.jsonl;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the store and in its writer that a quick build finds, although it asks the rules elsewhere. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a settle does not compare the version",
                        "dev/idem/jsonl/JsonlStore.java",
                        "slot == null || slot.version() != seen.version()",
                        "slot == null",
                        JsonlStoreTest.class,
                        "anotherVersionIsNotReplaced"),
                new PlantedFault(
                        "a settle does not compare the lease",
                        "dev/idem/jsonl/JsonlStore.java",
                        "guard == Guard.VERSION_AND_LEASE && !lease.equals(seen.lease())",
                        "false",
                        JsonlStoreTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new PlantedFault(
                        "a renewal does not compare the fence",
                        "dev/idem/jsonl/JsonlStore.java",
                        "slot != null && slot.fence() == ticket.fence().number() ? slot : null",
                        "slot",
                        JsonlStoreTest.class,
                        "aRenewalNeedsTheFence"),
                new PlantedFault(
                        "an answer does not wait for the sync",
                        "dev/idem/jsonl/LedgerFile.java",
                        "            now.file().sync();\n        } catch (IOException e) {",
                        "            now.file().size();\n        } catch (IOException e) {",
                        PowerCutTest.class,
                        "whatWasAcknowledgedSurvives"),
                new PlantedFault(
                        "a line leaves out the lease that was renewed",
                        "dev/idem/jsonl/line/LineWriter.java",
                        "        StringBuilder out = start(at, LineState.RENEWED, fence);\n        text(out, \"lease\", TimeText.of(lease));",
                        "        StringBuilder out = start(at, LineState.RENEWED, fence);\n        text(out, \"lease\", TimeText.of(lease.plus(java.time.Duration.ofHours(1))));",
                        JsonlContractTest.class,
                        "randomSchedulesAgreeWithTheModel"),
                new PlantedFault(
                        "a batch forgets the highest fence",
                        "dev/idem/jsonl/line/LineWriter.java",
                        "append(trailer.high())",
                        "append(1)",
                        JsonlContractTest.class,
                        "randomSchedulesAgreeWithTheModel"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
