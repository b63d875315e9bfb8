package dev.idem.examples.agents;

import com.openai.client.OpenAIClient;
import com.openai.errors.OpenAIException;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.agent.batch.Batch;
import dev.idem.agent.batch.BatchReport;
import java.util.List;

/**
 * A nightly batch: the model sums up each ticket, and its owner gets a mail. After a kill, the next run continues with
 * the remaining tickets, and no owner gets a second mail.
 */
public final class NightlyBatch {
    private final OpenAIClient model;
    private final Idem idem;
    private final Mails mails;

    /** A task of the support. */
    public record Ticket(String id, String owner, String text) {}

    /** A batch on this ledger, which has to outlive the process. */
    public NightlyBatch(OpenAIClient model, Idem idem, Mails mails) {
        this.model = model;
        this.idem = idem;
        this.mails = mails;
    }

    /** Processes the tickets of a night that earlier runs of the same night have not finished. */
    public BatchReport run(String night, List<Ticket> tickets) {
        return Batch.of(idem, "summaries-" + night)
                .concurrency(2)
                .returning(String.class)
                .run(tickets, Ticket::id, (ticket, call) -> mails.send(ticket.owner(), summaryOf(ticket)));
    }

    /** Asks the model, before anything is sent: if it fails here, nothing has happened. */
    private String summaryOf(Ticket ticket) {
        try {
            return Words.of(model.chat()
                    .completions()
                    .create(ChatCompletionCreateParams.builder()
                            .model("gpt-5")
                            .addUserMessage("Sum up: " + ticket.text())
                            .build()));
        } catch (OpenAIException e) {
            throw new NotExecutedException("the model has not summed up the ticket", e);
        }
    }
}
