package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the SQL that a quick build finds, although it asks the rules elsewhere. */
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
                                "dev/idem/sqlite/statements.sql",
                                "\nWHERE fence = ?12 AND version = ?13",
                                "\nWHERE fence = ?12 AND ?13 = ?13"),
                        SqliteStoreContractTest.class,
                        "anotherVersionIsNotReplaced"),
                new Case(
                        "a settle does not compare the lease",
                        new PlantedFault(
                                "dev/idem/sqlite/statements.sql",
                                "\nWHERE fence = ?12 AND version = ?13 AND lease = ifnull(?14, lease)",
                                "\nWHERE fence = ?12 AND version = ?13 AND ifnull(?14, 1) = ifnull(?14, 1)"),
                        SqliteStoreContractTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new Case(
                        "a take-over does not compare the version",
                        new PlantedFault(
                                "dev/idem/sqlite/statements.sql",
                                "FROM entries WHERE fence = ?12 AND version = ?13",
                                "FROM entries WHERE fence = ?12 AND ?13 = ?13"),
                        SqliteStoreContractTest.class,
                        "anotherVersionIsNotReplaced"),
                new Case(
                        "a renewal does not compare the fence",
                        new PlantedFault(
                                "dev/idem/sqlite/statements.sql",
                                "WHERE fence = ? AND key = ? AND operation = ? AND scope = ? AND state = 'in_progress'",
                                "WHERE ? > 0 AND key = ? AND operation = ? AND scope = ? AND state = 'in_progress'"),
                        SqliteStoreContractTest.class,
                        "aRenewalNeedsTheFence"),
                new Case(
                        "a renewal revives what is settled",
                        new PlantedFault("dev/idem/sqlite/statements.sql", " AND state = 'in_progress'", ""),
                        SqliteStoreContractTest.class,
                        "aRenewalRevivesNothing"),
                new Case(
                        "a count of replays forgets those before",
                        new PlantedFault("dev/idem/sqlite/statements.sql", "replays = replays + ?", "replays = ?"),
                        SqliteStoreContractTest.class,
                        "aReplaceLeavesTheCountOfReplays"),
                new Case(
                        "a purge does not compare the version",
                        new PlantedFault(
                                "dev/idem/sqlite/statements.sql",
                                "DELETE FROM entries WHERE fence = ? AND version = ?",
                                "DELETE FROM entries WHERE fence = ? AND ? = ?2"),
                        SqliteStoreContractTest.class,
                        "onlyTheVersionThatWasSeenIsDeleted"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isFoundByAQuickBuild(Case each) throws IOException {
        assertThat(each.fault().caughtBy(each.tests())).contains(each.test());
    }
}
