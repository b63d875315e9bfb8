package dev.idem.examples.agents;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.errors.OpenAIIoException;
import dev.idem.Idem;
import dev.idem.agent.batch.BatchReport;
import dev.idem.examples.agents.ModelServer.Reply;
import dev.idem.examples.agents.NightlyBatch.Ticket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NightlyBatchTest {
    private static final List<Ticket> TICKETS = IntStream.rangeClosed(1, 5)
            .mapToObj(number -> new Ticket("t-" + number, "owner-" + number, "teapot " + number + " is broken"))
            .toList();

    @TempDir
    Path folder;

    private final List<String> sent = Collections.synchronizedList(new ArrayList<>());

    private String send(String to, String body) {
        sent.add(to + ": " + body);
        return "mail " + sent.size();
    }

    private BatchReport night(ModelServer model, Mails mails) {
        try (Idem process = Idem.open("sqlite:" + folder.resolve("idem.db"))) {
            return new NightlyBatch(model.client(), process, mails).run("2026-11-15", TICKETS);
        }
    }

    @Test
    void whatFailedIsDoneByTheNextRunAndNobodyGetsASecondMail() throws Exception {
        BatchReport first;
        try (ModelServer down = new ModelServer(said ->
                said.prompt().contains("teapot 3") ? Reply.fails(500) : Reply.says("in short: " + said.prompt()))) {
            first = night(down, this::send);
        }
        BatchReport second;
        try (ModelServer up = new ModelServer(said -> Reply.says("in short: " + said.prompt()))) {
            second = night(up, this::send);
        }

        assertThat(first.text())
                .contains("4 done, 0 skipped, 1 failed, 0 in doubt")
                .contains("t-3 failed");
        assertThat(second.text()).contains("1 done, 4 skipped, 0 failed, 0 in doubt");
        assertThat(second.complete()).isTrue();
        assertThat(sent).hasSize(5).doesNotHaveDuplicates();
    }

    /** It counts where the exception came from: one of the same type from the mails proves nothing. */
    @Test
    void aModelThatFailsAfterTheMailHadTheMailSentAgain() throws Exception {
        Mails translating = (to, body) -> {
            send(to, body);
            if (to.equals("owner-2")) {
                throw new OpenAIIoException("no answer");
            }
            return "mail";
        };
        try (ModelServer model = new ModelServer(said -> Reply.says("in short: " + said.prompt()))) {
            assertThat(night(model, translating).text()).contains("4 done, 0 skipped, 0 failed, 1 in doubt");
            assertThat(night(model, translating).text()).contains("t-2 in doubt");
        }
        assertThat(sent).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void aMailThatMayHaveBeenSentIsReportedAndNotSentAgain() throws Exception {
        Mails losing = (to, body) -> {
            send(to, body);
            if (to.equals("owner-2")) {
                throw new SocketTimeoutException("no answer");
            }
            return "mail";
        };
        BatchReport first;
        BatchReport second;
        try (ModelServer model = new ModelServer(said -> Reply.says("in short: " + said.prompt()))) {
            first = night(model, losing);
            second = night(model, losing);
        }

        assertThat(first.text()).contains("4 done, 0 skipped, 0 failed, 1 in doubt");
        assertThat(second.text())
                .contains("0 done, 4 skipped, 0 failed, 1 in doubt")
                .contains("t-2 in doubt");
        assertThat(sent).hasSize(5).doesNotHaveDuplicates();
    }
}
