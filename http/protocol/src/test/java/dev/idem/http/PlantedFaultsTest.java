package dev.idem.http;

import dev.idem.lab.PlantedFault;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults in the rules of HTTP that a quick build finds. */
@Tag("proof")
class PlantedFaultsTest {
    static List<PlantedFault> faults() {
        return List.of(
                new PlantedFault(
                        "the part of a caller may hold a slash, and pass for the parts of another caller",
                        "dev/idem/http/AddressNames.java",
                        ".map(part -> part.replace(\"%\", \"%25\").replace(\"/\", \"%2F\"))",
                        ".map(part -> part.replace(\"%\", \"%25\"))",
                        HttpGuardTest.class,
                        "aCallerOfSeveralPartsNeverHasTheScopeOfAnother"),
                new PlantedFault(
                        "numbers of a body are compared as the nearest that fit a double",
                        "dev/idem/http/RequestFingerprint.java",
                        "Json.parseExact(bytes)",
                        "Json.parse(bytes)",
                        RequestFingerprintTest.class,
                        "everyChangeOfAValueInJsonCounts"),
                new PlantedFault(
                        "a response that could not be recorded is lost",
                        "dev/idem/http/Exchange.java",
                        "        if (own != null) {\n"
                                + "            return first(own, null, false);\n"
                                + "        } else if (began) {",
                        "        if (began) {",
                        HttpGuardTest.class,
                        "aResponseGoesOutEvenIfItCouldNotBeRecorded"),
                new PlantedFault(
                        "a cookie of one client may be stored for others",
                        "dev/idem/http/StoredHeaders.java",
                        "            \"set-cookie\",\n",
                        "",
                        HttpRulesTest.class,
                        "secretsAndHeadersOfOneConnectionCanNotBeStored"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void isFoundByAQuickBuild(PlantedFault fault) throws IOException {
        fault.requireCaught();
    }
}
