package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.OnDoubt;
import dev.idem.Operation;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.RemoteKeys;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Somebody who looks at an entry later does not know the policy of its call. */
class RecoveryLabelTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    private Entry ran(UnaryOperator<Operation<Object>> with) {
        with.apply(idem.operation("charge").key("k")).run(call -> "done");
        return idem.find(new Address("default", "charge", "k")).orElseThrow();
    }

    @Test
    void aDoubtThatAPersonEndsNeedsNoLabel() {
        Entry entry = ran(charge -> charge);
        assertThat(entry.labels()).isEmpty();
        assertThat(Recovery.declared(entry)).isEqualTo(Recovery.WayOut.PERSON);
    }

    @Test
    void whatMayRunAgainSaysSo() {
        Entry entry = ran(charge -> charge.policy(Policy.idempotent()));
        assertThat(entry.labels()).containsEntry("recovery", "rerun");
        assertThat(Recovery.declared(entry)).isEqualTo(Recovery.WayOut.RERUN);
    }

    @Test
    void aProbeIsNamed() {
        Entry entry = ran(charge -> charge.probe(attempt -> Probe.Verdict.unknown()));
        assertThat(Recovery.declared(entry)).isEqualTo(Recovery.WayOut.PROBE);
    }

    @Test
    void aRemoteThatKnowsTheKeyIsNamed() {
        Entry entry =
                ran(charge -> charge.policy(Policy.write().passesKeyTo(new RemoteKeys("bank", Duration.ofDays(1)))));
        assertThat(Recovery.declared(entry)).isEqualTo(Recovery.WayOut.SAME_KEY);
    }

    @Test
    void aHaltLeavesItToAPerson() {
        Entry entry = ran(charge ->
                charge.policy(Policy.write().onDoubt(OnDoubt.HALT)).probe(attempt -> Probe.Verdict.unknown()));
        assertThat(entry.labels()).isEmpty();
    }

    @Test
    void aLabelOfTheCallerStays() {
        Entry entry = ran(charge -> charge.policy(Policy.idempotent()).label("recovery", "by hand"));
        assertThat(entry.labels()).containsEntry("recovery", "by hand");
        assertThat(Recovery.declared(entry)).isEqualTo(Recovery.WayOut.PERSON);
    }
}
