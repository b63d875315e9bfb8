package dev.idem.examples.orders;

import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.clikit.Content;
import dev.idem.clikit.Declares;
import dev.idem.clikit.KitCommand;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Mail servers can't be asked for sent mails, so after a lost answer this stays in doubt until a person decides. */
@Command(name = "send-email", description = "Sends an email.")
@Declares(SideEffect.WRITE)
final class SendEmail implements KitCommand {
    private final Store store;
    private final Network network;

    @Option(names = "--to", required = true, description = "Who gets it.")
    private String to = "";

    @Option(names = "--subject", required = true, description = "What it is about.")
    private String subject = "";

    @Content
    @Option(names = "--body", defaultValue = "", description = "What it says; may be reworded.")
    private String body = "";

    SendEmail(Store store, Network network) {
        this.store = store;
        this.network = network;
    }

    @Override
    public List<String> problems() {
        return to.contains("@") ? List.of() : List.of("--to is an address, not '" + to + "'");
    }

    @Override
    public List<String> plan() {
        return List.of("would send '" + subject + "' to " + to + " (" + body.length() + " characters)");
    }

    @Override
    public Map<String, Object> run(Call call) throws Exception {
        return network.send(() -> Map.of(
                "message_id",
                store.change(
                        "INSERT INTO emails (recipient, subject, key) VALUES (?, ?, ?)", to, subject, call.key())));
    }
}
