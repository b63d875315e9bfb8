package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.OnDoubt;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.RequestStore;
import dev.idem.RequestStoreBuilder;
import dev.idem.agent.batch.Batch;
import dev.idem.agent.inbox.Inbox;
import dev.idem.agent.tool.Once;
import dev.idem.spi.Retention;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of the configuration page name every option there is, and its default as the code has it. */
class ConfigurationDocsTest {
    private static final Set<String> NO_OPTIONS = Set.of(
            "of",
            "open",
            "run",
            "perform",
            "attempt",
            "runAsync",
            "attemptStage",
            "find",
            "prepare",
            "receive",
            "toString",
            "equals",
            "hashCode");

    @Test
    void everyOptionOfIdemIsListed() {
        assertThat(new TreeSet<>(ConfigurationTable.under("Opening Idem").keySet()))
                .isEqualTo(options(IdemBuilder.class));
    }

    @Test
    void everyOptionOfAnOperationIsListed() {
        assertThat(new TreeSet<>(ConfigurationTable.under("An operation").keySet()))
                .isEqualTo(options(Operation.class));
    }

    @Test
    void everyOptionOfTheRequestStoreIsListed() {
        assertThat(new TreeSet<>(ConfigurationTable.under("The request store").keySet()))
                .isEqualTo(options(RequestStoreBuilder.class));
    }

    @Test
    void everyOptionOfABatchIsListed() {
        assertThat(new TreeSet<>(ConfigurationTable.under("A batch").keySet())).isEqualTo(options(Batch.class));
    }

    @Test
    void everyOptionOfAnInboxIsListed() {
        assertThat(new TreeSet<>(ConfigurationTable.under("An inbox").keySet())).isEqualTo(options(Inbox.class));
    }

    @Test
    void everyMemberOfTheAnnotationIsListed() throws NoSuchMethodException {
        Map<String, String> table = ConfigurationTable.under("A tool method");
        assertThat(new TreeSet<>(table.keySet())).isEqualTo(options(Once.class));
        assertThat(Once.class.getMethod("passesKeyTo").getDefaultValue()).isEqualTo("");
        assertThat(table.get("passesKeyTo()")).isEqualTo("none");
    }

    @Test
    void theDefaultsOfIdemAreThoseOfTheCode() {
        Map<String, String> table = ConfigurationTable.under("Opening Idem");
        IdemBuilder builder = Idem.builder();

        assertThat(table.get("largestResult(int)")).isEqualTo(bytes(field(builder, "largestResult")));
        assertThat(table.get("gzipFrom(int)")).isEqualTo(bytes(field(builder, "gzipFrom")));
        assertThat(table.get("settleFor(Duration)")).isEqualTo(text(field(builder, "settleFor")));
        assertThat(table.get("purgeEvery(Duration)")).isEqualTo(text(field(builder, "purgeEvery")));
        assertThat(table.get("closeWait(Duration)")).isEqualTo(text(field(builder, "closeWait")));
        assertThat(table.get("quiet()")).isEqualTo(text(field(builder, "quiet")));
        assertThat(field(field(builder, "nearCache"), "entries")).isEqualTo(0);
        assertThat(table.get("nearCache(int, Duration)")).isEqualTo("off");
    }

    @Test
    void theDefaultsOfAnOperationAreThoseOfTheCode() {
        Map<String, String> table = ConfigurationTable.under("An operation");
        Object plan = field(Idem.builder(), "defaults");

        assertThat(table.get("scope(String)")).isEqualTo(text(field(plan, "scope")));
        assertThat(table.get("occurrence(int)")).isEqualTo(text(field(plan, "occurrence")));
    }

    @Test
    void everyOptionOfAPolicyIsListedWithItsDefault() {
        Map<String, String> table = ConfigurationTable.under("A policy");
        Policy unset = Policy.unset();
        assertThat(new TreeSet<>(table.keySet()))
                .isEqualTo(Arrays.stream(Policy.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers())
                                && method.getReturnType() == Policy.class
                                && !Set.of("over", "withoutSessionOptions").contains(method.getName()))
                        .map(ConfigurationDocsTest::signature)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(table)
                .containsEntry("sideEffect(SideEffect)", text(unset.sideEffect()))
                .containsEntry("lease(Duration)", text(unset.lease()))
                .containsEntry("timeLimit(Duration)", text(unset.timeLimit()))
                .containsEntry("waitFor(Duration)", text(unset.waitFor()))
                .containsEntry("retention(Duration)", text(unset.retention()))
                .containsEntry("onReworded(Reworded)", text(unset.onReworded()))
                .containsEntry("onRepeat(Repeat)", text(unset.onRepeat()))
                .containsEntry("probeGrace(Duration)", text(unset.probeGrace()));
    }

    @Test
    void theDefaultsOfTheRequestStoreAreThoseOfTheCode() {
        Map<String, String> table = ConfigurationTable.under("The request store");
        Object plan = field(RequestStore.builder(), "plan");
        Policy policy = (Policy) field(plan, "policy");

        assertThat(table.get("scope(String)")).isEqualTo(text(field(plan, "scope")));
        assertThat(table.get("ttlDays(int)")).isEqualTo(text(policy.retention()));
        assertThat(table.get("ttl(Duration)")).isEqualTo(text(policy.retention()));
        assertThat(table.get("lease(Duration)")).isEqualTo(text(policy.lease()));
        assertThat(table.get("timeLimit(Duration)")).isEqualTo(text(policy.timeLimit()));
        assertThat(table.get("retryAfterCrash()")).isEqualTo(text(policy.safeToRerun()));
        assertThat(table.get("failedUntilCleared()")).isEqualTo(text(policy.keepsFailures()));
    }

    @Test
    void theDefaultsOfBatchesAndInboxesAreThoseOfTheCode() {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            Object batch = field(Batch.of(idem, "job"), "plan");
            Policy event = (Policy) field(field(Inbox.of(idem, "source"), "plan"), "policy");

            assertThat(ConfigurationTable.under("A batch").get("concurrency(int)"))
                    .isEqualTo(text(field(batch, "concurrency")));
            assertThat(event.onDoubt()).isEqualTo(OnDoubt.RERUN);
            assertThat(ConfigurationTable.under("An inbox").get("policy(Policy)"))
                    .isEqualTo("an event in doubt is handled again");
        }
    }

    private static Set<String> options(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !NO_OPTIONS.contains(method.getName()))
                .map(ConfigurationDocsTest::signature)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    private static Object field(Object of, String name) {
        try {
            Field field = of.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the default '" + name + "' is kept elsewhere now; look there", e);
        }
    }

    private static String text(Object value) {
        if (value == null) {
            return "none";
        } else if (value instanceof Retention retention) {
            return text(retention.keep());
        } else if (value instanceof Boolean on) {
            return on ? "on" : "off";
        } else if (!(value instanceof Duration duration)) {
            return value.toString();
        } else if (duration.toDays() > 0) {
            return duration.toDays() == 1 ? "1 day" : duration.toDays() + " days";
        } else {
            return duration.toMinutes() > 0 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
        }
    }

    private static String bytes(Object value) {
        int bytes = (Integer) value;
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
    }
}
