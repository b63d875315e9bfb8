package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the store and in its writer that a quick build finds, although it asks the rules elsewhere. */
@Tag("proof")
class PlantedFaultsTest {
    record Case(String name, PlantedFault fault, Class<?> tests, String test) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() {
        return List.of(
                new Case(
                        "a settle does not compare the version",
                        new PlantedFault(
                                "dev/idem/jsonl/JsonlStore.java",
                                "slot == null || slot.version() != seen.version()",
                                "slot == null"),
                        JsonlStoreTest.class,
                        "anotherVersionIsNotReplaced"),
                new Case(
                        "a settle does not compare the lease",
                        new PlantedFault(
                                "dev/idem/jsonl/JsonlStore.java",
                                "guard == Guard.VERSION_AND_LEASE && !lease.equals(seen.lease())",
                                "false"),
                        JsonlStoreTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new Case(
                        "a renewal does not compare the fence",
                        new PlantedFault(
                                "dev/idem/jsonl/JsonlStore.java",
                                "slot != null && slot.fence() == ticket.fence().number() ? slot : null",
                                "slot"),
                        JsonlStoreTest.class,
                        "aRenewalNeedsTheFence"),
                new Case(
                        "an answer does not wait for the sync",
                        new PlantedFault(
                                "dev/idem/jsonl/LedgerFile.java",
                                "            now.file().sync();\n        } catch (IOException e) {",
                                "            now.file().size();\n        } catch (IOException e) {"),
                        PowerCutTest.class,
                        "whatWasAcknowledgedSurvives"),
                new Case(
                        "a line leaves out the lease that was renewed",
                        new PlantedFault(
                                "dev/idem/jsonl/line/LineWriter.java",
                                "        StringBuilder out = start(at, LineState.RENEWED, fence);\n        text(out, \"lease\", TimeText.of(lease));",
                                "        StringBuilder out = start(at, LineState.RENEWED, fence);\n        text(out, \"lease\", TimeText.of(lease.plus(java.time.Duration.ofHours(1))));"),
                        JsonlContractTest.class,
                        "randomSchedulesAgreeWithTheModel"),
                new Case(
                        "a batch forgets the highest fence",
                        new PlantedFault("dev/idem/jsonl/line/LineWriter.java", "append(trailer.high())", "append(1)"),
                        JsonlContractTest.class,
                        "randomSchedulesAgreeWithTheModel"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isFoundByAQuickBuild(Case each) throws IOException {
        assertThat(each.fault().caughtBy(each.tests())).contains(each.test());
    }
}
