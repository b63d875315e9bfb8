package dev.idem.server.http;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the doors of a server that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "a code signs in as often as it is shown",
                        "dev/idem/server/http/OneUseCodes.java",
                        "issued.remove(Secrets.digest(code))",
                        "issued.get(Secrets.digest(code))",
                        SessionsTest.class,
                        "aCodeIsGoodOnce"),
                new PlantedFault(
                        "a cookie alone is a session, also for a page of another port",
                        "dev/idem/server/http/Sessions.java",
                        "each != null && Secrets.same(each.second, digest)",
                        "each != null",
                        SessionsTest.class,
                        "aCookieWithoutItsSecondValueIsNothing"),
                new PlantedFault(
                        "a page may reach the server by a name of its own",
                        "dev/idem/server/http/Door.java",
                        "if (!names.contains(lower(name)) && !name.matches(ADDRESS)) {",
                        "if (name.isEmpty()) {",
                        NetworkCarrierTest.class,
                        "aNameThatIsNotItsOwnIsRefused"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
