package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** One run of a contract on a ledger, and which of its tests passed and failed. */
public record KitRun(Set<String> passed, Set<String> failed) {
    /** Runs what is selected, with one parameter for it. */
    public static KitRun of(DiscoverySelector contract, String parameter, String value) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(contract)
                .configurationParameter(parameter, value)
                .build();
        Verdicts verdicts = new Verdicts();
        LauncherFactory.create().execute(request, verdicts);
        assertThat(verdicts.passed.size() + verdicts.failed.size())
                .as("tests of %s that ran", contract)
                .isPositive();
        return new KitRun(new TreeSet<>(verdicts.passed), new TreeSet<>(verdicts.failed));
    }

    private static final class Verdicts implements TestExecutionListener {
        final Set<String> passed = new ConcurrentSkipListSet<>();
        final Set<String> failed = new ConcurrentSkipListSet<>();

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            // One that was skipped says nothing.
            if (!test.isTest() || result.getStatus() == TestExecutionResult.Status.ABORTED) {
                return;
            }
            Set<String> verdict = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? passed : failed;
            test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(source -> ((MethodSource) source).getMethodName())
                    .ifPresent(verdict::add);
        }
    }
}
