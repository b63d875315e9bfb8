package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Ruling;
import dev.idem.agent.approval.Wanted;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem approve} and {@code deny}, as an agent sees them that waits for a person's word. */
class ApprovalTest {
    @TempDir
    Path folder;

    private InProcess shell;
    private Idem idem;
    private Approvals approvals;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        shell.style = OutputStyle.plain();
        idem = Idem.builder().ledger(shell.ledger).quiet().open();
        approvals = Approvals.on(idem).clock(() -> shell.host.now().wall());
    }

    @AfterEach
    void close() {
        idem.close();
    }

    private Ruling ask(String table) {
        return approvals.ask(new Wanted(new Address("task-1", "drop_table", "k-" + table), Map.of("table", table)));
    }

    private String pending(String table) {
        return ask(table).request().key();
    }

    @Test
    void whatWaitsIsListedAndApprovedOnce() {
        assertThat(shell.idem("approve", "--text").out()).isEqualTo("nothing waits for approval\n");
        String key = pending("users");
        assertThat(shell.idem("approve", "--text").out()).contains(key, "task-1", "drop_table(table: \"users\")");
        List<?> listed = (List<?>) shell.idem("approve").data().get("pending");
        assertThat(listed).singleElement().extracting("key", "tool").containsExactly(key, "drop_table");

        Ran ran = shell.idem("approve", key, "--by", "ann");
        assertThat(ran.exit()).as(ran.out()).isZero();
        assertThat(ran.data()).containsEntry("effect", "updated").containsEntry("by", "ann");
        assertThat(ask("users")).isInstanceOf(Ruling.Granted.class);
        assertThat((List<?>) shell.idem("approve").data().get("pending")).isEmpty();

        Ran again = shell.idem("approve", key, "--by", "bob");
        assertThat(again.exit()).isZero();
        assertThat(again.data()).containsEntry("effect", "noop").containsEntry("by", "ann");
        assertThat(again.data().get("reason").toString()).contains("approved by ann");
    }

    @Test
    void whoSaysSoIsTheUserUnlessTold() {
        shell.env.put("USER", "eve");
        assertThat(shell.idem("approve", pending("users")).data()).containsEntry("by", "eve");
    }

    @Test
    void whatPeopleHaveDecidedIsListedWithTheReasons() throws Exception {
        String key = pending("users");
        assertThat(shell.idem("approve", key, "--by", "ann\nbob").exit()).isEqualTo(2);
        assertThat(shell.idem("approve", key, "--by", "ann", "--why", "ticket 17")
                        .data())
                .containsEntry("why", "ticket 17");
        shell.idem("deny", pending("orders"), "--by", "bob", "--why", "too much");
        Address charge = new Address("default", "charge", "k");
        idem.operation("charge").key("k").attempt(call -> {
            throw new IOException("no answer");
        });
        idem.resolve(idem.find(charge).orElseThrow())
                .by("carl")
                .because("not seen")
                .asFailed();

        List<?> all = (List<?>) shell.idem("ls", "--decided").data().get("decisions");
        assertThat(all).extracting("decided").containsExactly("failed", "denied", "approved");
        assertThat(shell.idem("ls", "--decided", "--text").out()).contains("ann", "ticket 17", "too much", "not seen");
        List<?> inScope = (List<?>)
                shell.idem("ls", "--decided", "--scope", "task-1").data().get("decisions");
        assertThat(inScope).extracting("decided").containsExactly("denied", "approved");
        assertThat(shell.idem("ls", "--decided", "--state", "failed").exit()).isEqualTo(2);

        idem.operation("drop_table").scope("task-1").key("k-users").run(call -> 1);
        assertThat(shell.idem("why", "k-users", "--operation", "drop_table", "--scope", "task-1", "--text")
                        .out())
                .contains("ann approved the call: ticket 17");
    }

    @Test
    void aDenialTellsTheAgentWhy() {
        String key = pending("users");
        assertThat(shell.idem("deny", key).exit()).isEqualTo(2);
        Ran ran = shell.idem("deny", key, "--why", "not on a Friday", "--by", "ann");
        assertThat(ran.data()).containsEntry("effect", "updated").containsEntry("approved", false);
        assertThat(ask("users").forModel()).contains("denied by ann", "not on a Friday");

        Ran other = shell.idem("approve", key);
        assertThat(other.exit()).isEqualTo(6);
        assertThat(other.error().get("message").toString()).contains("denied by ann", "Nothing was changed");
    }

    @Test
    void aDryRunDecidesNothing() {
        String key = pending("users");
        assertThat(shell.idem("approve", key, "--dry-run").data()).containsEntry("effect", "would_update");
        assertThat(shell.idem("deny", key, "--why", "no", "--dry-run").data()).containsEntry("effect", "would_update");
        assertThat(ask("users")).isInstanceOf(Ruling.Pending.class);
    }

    @Test
    void theSameCallAgainIsAnsweredFromTheLedger() {
        String key = pending("users");
        String[] line = {"approve", key, "--by", "ann", "--idempotency-key", "a-1"};
        assertThat(shell.idem(line).data()).containsEntry("effect", "updated");
        Ran again = shell.idem(line);
        assertThat(again.data()).containsEntry("effect", "noop");
        assertThat(again.meta()).containsEntry("idempotency_hit", true);
        assertThat(shell.idem("approve", pending("orders"), "--idempotency-key", "a-1")
                        .exit())
                .isEqualTo(6);
    }

    @Test
    void whatIsNotThereOrTooLateIsSaid() {
        Ran none = shell.idem("approve", "nothing");
        assertThat(none.exit()).isEqualTo(5);
        assertThat(none.err()).contains("in the ledger test:");
        assertThat(none.error()).containsEntry("fix_command", "idem approve");
        Approvals longAgo = approvals.clock(() -> shell.host.now().wall().minus(Duration.ofDays(2)));
        String key = longAgo.ask(new Wanted(new Address("task-1", "drop_table", "k"), Map.of()))
                .request()
                .key();
        Ran late = shell.idem("approve", key);
        assertThat(late.exit()).isEqualTo(6);
        assertThat(late.error().get("message").toString()).contains("has expired");
    }

    @Test
    void anApprovalIsGoodForAsLongAsItSays() {
        String key = pending("users");
        shell.idem("approve", key, "--valid-for", "1ms");
        assertThat(shell.idem("approve", key).data()).containsEntry("effect", "noop");
        assertThat(shell.idem("approve", pending("orders"), "--valid-for", "soon")
                        .exit())
                .isEqualTo(2);
    }
}
