package dev.idem.postgresql;

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
                                "dev/idem/postgresql/statements.sql",
                                "AND e.version = ? AND e.lease",
                                "AND ?::bigint IS NOT NULL AND e.lease"),
                        PostgresqlStoreTest.class,
                        "anotherVersionIsNotReplaced"),
                new Case(
                        "a settle does not compare the lease",
                        new PlantedFault(
                                "dev/idem/postgresql/statements.sql",
                                "AND e.lease = coalesce(?, e.lease)",
                                "AND coalesce(?, e.lease) IS NOT NULL"),
                        PostgresqlStoreTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new Case(
                        "a take-over has the fence of the one before",
                        new PlantedFault(
                                "dev/idem/postgresql/statements.sql",
                                "THEN nextval('{schema}.fence') ELSE",
                                "THEN e.fence ELSE"),
                        PostgresqlStoreTest.class,
                        "fencesGrowWithEveryGrant"),
                new Case(
                        "a renewal does not compare the fence",
                        new PlantedFault(
                                "dev/idem/postgresql/statements.sql",
                                "AND e.fence = t.fence\n    WHERE e.state",
                                "AND e.fence >= t.fence\n    WHERE e.state"),
                        PostgresqlStoreTest.class,
                        "aRenewalNeedsTheFence"),
                new Case(
                        "a purge does not compare the version",
                        new PlantedFault(
                                "dev/idem/postgresql/statements.sql",
                                "AND e.scope = t.scope AND e.version = t.version\n    FOR",
                                "AND e.scope = t.scope\n    FOR"),
                        PostgresqlStoreTest.class,
                        "onlyTheVersionThatWasSeenIsDeleted"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isFoundByAQuickBuild(Case each) throws IOException {
        assertThat(each.fault().caughtBy(each.tests())).contains(each.test());
    }
}
