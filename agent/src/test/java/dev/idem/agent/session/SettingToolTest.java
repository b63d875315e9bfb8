package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Policy;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.guard.Limits;
import dev.idem.agent.guard.LoopGuard;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.agent.shadow.AuditLog;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tool that sets something to a value: its repeats run, so a complete entry does not answer them. */
class SettingToolTest extends CallCase {
    private static final Map<String, Object> ONE = Map.of("text", "v1");
    private static final Map<String, Object> TWO = Map.of("text", "v2");

    private final List<String> written = new ArrayList<>();
    private final Tool write = Tool.named("write")
            .policy(Policy.idempotent().onRepeat(Repeat.RUN))
            .run((call, in) -> {
                written.add(in.text("text"));
                return "written";
            });

    private State state(ToolAnswer answer) {
        return idem.find(answer.address().orElseThrow()).orElseThrow().state();
    }

    @Test
    void anOlderValueThatIsSetAgainIsSet() {
        Session session = Session.of(idem, "order-1", write);

        session.call("write", ONE);
        session.call("write", TWO);

        assertThat(session.call("write", ONE).status()).isEqualTo(Status.RAN);
        assertThat(written).containsExactly("v1", "v2", "v1");
    }

    @Test
    void aRepeatThatTheLoopGuardStopsLeavesTheEntryCompleteAndIsNotCalledDone() {
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(write)
                .loopGuard(LoopGuard.standard().session(Limits.none().calls(2)))
                .open();
        session.call("write", ONE);
        session.call("write", TWO);

        ToolAnswer stopped = session.call("write", ONE);

        assertThat(stopped.status()).isEqualTo(Status.STOPPED);
        assertThat(stopped.error()).isTrue();
        assertThat(stopped.text()).doesNotContain("already done");
        assertThat(state(stopped)).isEqualTo(State.COMPLETE);
        assertThat(written).containsExactly("v1", "v2");
    }

    @Test
    void aRepeatAsksForAnApprovalBeforeItTakesTheEntryOver() {
        Tool approved = write.with(tool -> tool.policy(Policy.unset().approval()));
        Session session = Session.of(idem, "order-1", approved);
        Refused first = (Refused) session.call("write", ONE);
        Approvals.on(idem).approve(first.approval(), "ann");
        session.call("write", ONE);

        ToolAnswer repeat = session.call("write", ONE);

        assertThat(repeat.status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(state(repeat)).isEqualTo(State.COMPLETE);
        assertThat(written).containsExactly("v1");
        Approvals.on(idem).approve(((Refused) repeat).approval(), "ann");
        assertThat(session.call("write", ONE).status()).isEqualTo(Status.RAN);
        assertThat(written).containsExactly("v1", "v1");
    }

    @Test
    void aShadowRunRecordsThatARepeatWouldRun() {
        Session.of(idem, "order-1", write).call("write", ONE);
        AuditLog.InMemory audit = AuditLog.inMemory();
        Session shadow =
                Session.builder(idem).id("order-1").tools(write).shadow(audit).open();

        shadow.call("write", ONE);

        assertThat(audit.lines()).extracting(AuditLine::effect).containsExactly(Effect.WOULD_CREATE);
    }
}
