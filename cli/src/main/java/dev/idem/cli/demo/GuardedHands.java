package dev.idem.cli.demo;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.session.Session;
import dev.idem.agent.shadow.Mode;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Calls the same tools through a session of Idem. */
final class GuardedHands implements Hands {
    private static final RemoteKeys PAYMENTS = new RemoteKeys("the payment service", Duration.ofHours(24));

    private final Idem idem;
    private final Session session;

    GuardedHands(Remote remote, String ledger, String task) {
        Tool charge = Tool.named("charge")
                .policy(Policy.write().passesKeyTo(PAYMENTS))
                .run((call, in) -> remote.post("charge", in.fields(), call.key()));
        Tool email = Tool.named("send_email")
                .identity("to", "subject")
                .run((call, in) -> remote.post("send_email", in.fields(), null));
        Tool order = Tool.named("create_order").run((call, in) -> remote.post("create_order", in.fields(), null));
        idem = Idem.open(ledger);
        session = Session.builder(idem)
                .id(task)
                .tools(charge, email, order)
                .retry(Retry.standard().baseDelay(Duration.ofMillis(50)))
                .mode(Mode.LIVE)
                .open();
    }

    @Override
    public Told call(String tool, Map<String, ?> arguments) {
        ToolAnswer answer = session.call(tool, arguments);
        return new Told(tool, answer.status().name().toLowerCase(Locale.ROOT), answer.text());
    }

    @Override
    public void close() {
        session.close();
        idem.close();
    }
}
