package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Tool;
import dev.idem.cli.InProcess.Ran;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An agent waits in one process, and a person decides in another. */
class ApprovalIT extends ProcessCase {
    private final AtomicInteger dropped = new AtomicInteger();
    private Idem idem;
    private Session session;

    @BeforeEach
    void open() {
        String ledger = "sqlite:" + home.resolve("idem.db");
        idems.with("IDEM_LEDGER", ledger).with("IDEM_JSON", "1");
        idem = Idem.builder().ledger(ledger).quiet().open();
        Tool drop = Tool.named("drop_table")
                .policy(Policy.destructive().approval())
                .run((call, in) -> dropped.incrementAndGet());
        session = Session.of(idem, "cleanup-7", drop);
    }

    @AfterEach
    void close() {
        idem.close();
    }

    private String ask(String table) {
        return session.call("drop_table", Map.of("table", table)).text();
    }

    private String pending() {
        List<?> all = (List<?>) idems.run("approve").data().get("pending");
        return (String) ((Map<?, ?>) all.get(0)).get("key");
    }

    @Test
    void whatIsApprovedRunsOnceAndWhatIsDeniedDoesNot() {
        assertThat(ask("users")).contains("a person has to approve it first");
        String key = pending();
        Ran approved = idems.run("approve", key, "--by", "ann");
        assertThat(approved.data()).containsEntry("effect", "updated").containsEntry("session", "cleanup-7");
        assertThat(idems.run("approve", key, "--by", "bob").data()).containsEntry("effect", "noop");
        ask("users");
        ask("users");
        assertThat(dropped).hasValue(1);

        ask("orders");
        Ran denied = idems.run("deny", pending(), "--why", "not on a Friday", "--by", "bob");
        assertThat(denied.data()).containsEntry("approved", false);
        assertThat(ask("orders")).contains("denied by bob", "not on a Friday");
        assertThat(dropped).hasValue(1);
    }
}
