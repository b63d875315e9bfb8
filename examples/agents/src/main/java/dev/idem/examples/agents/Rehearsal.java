package dev.idem.examples.agents;

import com.openai.client.OpenAIClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.session.Session;
import dev.idem.agent.shadow.AuditLine;
import dev.idem.agent.shadow.AuditLog;
import dev.idem.agent.shadow.ShadowDiff;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Toolbox;
import dev.idem.openai.ToolLoop;
import java.util.List;
import java.util.Map;

/**
 * A rehearsal: the agent runs against the real model and really reads, but every call that would change something is
 * only recorded. Two rehearsals, before and after a change of the prompt, can be compared.
 */
public final class Rehearsal {
    private final OpenAIClient model;
    private final Idem idem;
    private final Toolbox tools;

    record Customer(String name) {}

    record Charge(String customer, long cents) {}

    /** An agent that may look customers up and charge them. */
    public Rehearsal(OpenAIClient model, Idem idem, Payments payments) {
        this.model = model;
        this.idem = idem;
        this.tools = Toolbox.of(
                Tool.named("find_customer")
                        .policy(Policy.read())
                        .input(Customer.class)
                        .run((call, in) -> Map.of("id", "cus_1", "name", in.name())),
                Tool.named("charge")
                        .input(Charge.class)
                        .stub(in -> Map.of("id", "ch_rehearsed"))
                        .run((call, in) -> payments.charge(in.customer(), in.cents(), call.key())));
    }

    /** The calls that the agent would have made. */
    public List<AuditLine> rehearse(String name, String prompt) {
        AuditLog.InMemory log = AuditLog.inMemory();
        try (Session session =
                Session.builder(idem).id(name).tools(tools).shadow(log).open()) {
            ToolLoop.of(model, session)
                    .run(ChatCompletionCreateParams.builder()
                            .model("gpt-5")
                            .addUserMessage(prompt)
                            .build());
        }
        return log.lines();
    }

    /** The difference that another prompt would make. */
    public ShadowDiff compare(String prompt, String other) {
        return ShadowDiff.between(rehearse("rehearsal-1", prompt), rehearse("rehearsal-2", other));
    }
}
