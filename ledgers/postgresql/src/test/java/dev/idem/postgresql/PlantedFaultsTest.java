package dev.idem.postgresql;

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
                        "dev/idem/postgresql/statements.sql",
                        "AND e.version {=} ? AND e.lease",
                        "AND ?::bigint IS NOT NULL AND e.lease",
                        PostgresqlStoreTest.class,
                        "anotherVersionIsNotReplaced"),
                new PlantedFault(
                        "a settle does not compare the lease",
                        "dev/idem/postgresql/statements.sql",
                        "AND e.lease {=} coalesce(?, e.lease)",
                        "AND coalesce(?, e.lease) IS NOT NULL",
                        PostgresqlStoreTest.class,
                        "aRenewedLeaseIsReplacedByItsOwnerOnly"),
                new PlantedFault(
                        "a take-over has the fence of the one before",
                        "dev/idem/postgresql/statements.sql",
                        "THEN pg_catalog.nextval('{schema}.fence') ELSE",
                        "THEN e.fence ELSE",
                        PostgresqlStoreTest.class,
                        "fencesGrowWithEveryGrant"),
                new PlantedFault(
                        "a renewal does not compare the fence",
                        "dev/idem/postgresql/statements.sql",
                        "AND e.fence {=} t.fence\n    WHERE e.state",
                        "AND e.fence {>=} t.fence\n    WHERE e.state",
                        PostgresqlStoreTest.class,
                        "aRenewalNeedsTheFence"),
                new PlantedFault(
                        "a purge does not compare the version",
                        "dev/idem/postgresql/statements.sql",
                        "AND e.scope {=} t.scope AND e.version {=} t.version\n    FOR",
                        "AND e.scope {=} t.scope\n    FOR",
                        PostgresqlStoreTest.class,
                        "onlyTheVersionThatWasSeenIsDeleted"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
