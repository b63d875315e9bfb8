package dev.idem.sqlite;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the SQL that a quick build finds, although it asks the rules elsewhere. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a settle does not compare the version",
                        "dev/idem/sqlite/statements.sql",
                        "\nWHERE fence = ?12 AND version = ?13",
                        "\nWHERE fence = ?12 AND ?13 = ?13",
                        SqliteStoreContractTest.class,
                        "anotherVersionIsNotReplaced"),
                new PlantedFault(
                        "a settle does not compare the lease",
                        "dev/idem/sqlite/statements.sql",
                        "\nWHERE fence = ?12 AND version = ?13 AND lease = ifnull(?14, lease)",
                        "\nWHERE fence = ?12 AND version = ?13 AND ifnull(?14, 1) = ifnull(?14, 1)",
                        SqliteStoreContractTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new PlantedFault(
                        "a take-over does not compare the version",
                        "dev/idem/sqlite/statements.sql",
                        "FROM main.entries WHERE fence = ?12 AND version = ?13",
                        "FROM main.entries WHERE fence = ?12 AND ?13 = ?13",
                        SqliteStoreContractTest.class,
                        "anotherVersionIsNotReplaced"),
                new PlantedFault(
                        "a renewal does not compare the fence",
                        "dev/idem/sqlite/statements.sql",
                        "WHERE fence = ? AND key = ? AND operation = ? AND scope = ? AND state = 'in_progress'",
                        "WHERE ? > 0 AND key = ? AND operation = ? AND scope = ? AND state = 'in_progress'",
                        SqliteStoreContractTest.class,
                        "aRenewalNeedsTheFence"),
                new PlantedFault(
                        "a renewal revives what is settled",
                        "dev/idem/sqlite/statements.sql",
                        " AND state = 'in_progress'",
                        "",
                        SqliteStoreContractTest.class,
                        "aRenewalRevivesNothing"),
                new PlantedFault(
                        "a count of replays forgets those before",
                        "dev/idem/sqlite/statements.sql",
                        "replays = replays + ?",
                        "replays = ?",
                        SqliteStoreContractTest.class,
                        "aReplaceLeavesTheCountOfReplays"),
                new PlantedFault(
                        "a purge does not compare the version",
                        "dev/idem/sqlite/statements.sql",
                        "DELETE FROM main.entries WHERE fence = ? AND version = ?",
                        "DELETE FROM main.entries WHERE fence = ? AND ? = ?2",
                        SqliteStoreContractTest.class,
                        "onlyTheVersionThatWasSeenIsDeleted"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
