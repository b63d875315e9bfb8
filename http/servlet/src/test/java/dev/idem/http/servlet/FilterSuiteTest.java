package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.suite.HttpCases;
import java.util.stream.Stream;
import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The table of rules, against the filter in real containers. */
class FilterSuiteTest {
    @TestFactory
    Stream<DynamicTest> everyRuleHolds() {
        return Server.onClassPath()
                .flatMap(server -> HttpCases.all().stream()
                        .map(each -> DynamicTest.dynamicTest(
                                server + ": " + each.name(),
                                () -> each.play((rules, handler) -> ServletSurface.open(server, rules, handler)))));
    }

    @Test
    void tomcatHasTheVersionThatTheBuildSays() {
        assertThat(ServerInfo.getServerNumber()).startsWith(Boolean.getBoolean("idem.tomcat11") ? "11." : "10.1.");
    }
}
