package dev.idem.agent.inbox;

import dev.idem.Idem;
import dev.idem.OnDoubt;
import dev.idem.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Takes in one event in a process of its own: {@code InboxMain LEDGER EFFECTS plain|guarded|poison POINT}. At the point
 * that it is told it says so, and waits to be killed.
 */
final class InboxMain {
    private static final Event PAID = Event.of("evt_1", "{\"type\": \"paid\"}");

    private final Idem idem;
    private final Path effects;
    private final String point;

    private InboxMain(Idem idem, Path effects, String point) {
        this.idem = idem;
        this.effects = effects;
        this.point = point;
    }

    public static void main(String[] arguments) throws IOException {
        try (Idem idem = Idem.builder().ledger(arguments[0]).quiet().open()) {
            InboxMain main = new InboxMain(idem, Path.of(arguments[1]), arguments[3]);
            Delivery<String> delivery = main.inbox(arguments[2]).receive(PAID, main.handler(arguments[2]));
            main.reach("received");
            System.out.println(delivery.getClass().getSimpleName() + " " + delivery.acknowledge());
        }
    }

    private Inbox<String> inbox(String kind) {
        Inbox<String> inbox = Inbox.of(idem, "stripe").returning(String.class);
        return switch (kind) {
            case "plain" -> inbox.policy(Policy.unset().onDoubt(OnDoubt.PROBE));
            case "poison" ->
                inbox.poisonAfter(2, letter -> {
                    write("given up");
                    reach("given up");
                });
            default -> inbox;
        };
    }

    private Handler<String> handler(String kind) {
        return kind.equals("guarded")
                ? (event, call) -> {
                    reach("handling");
                    String mailed = idem.operation("mail")
                            .scope("stripe")
                            .key("evt_1")
                            .returning(String.class)
                            .run(step -> act());
                    reach("mailed");
                    return mailed;
                }
                : (event, call) -> {
                    reach("handling");
                    return act();
                };
    }

    private String act() throws IOException {
        write("mail");
        reach("sent");
        return "sent";
    }

    /** Past all buffers, so that it outlives a kill. */
    private void write(String effect) throws IOException {
        Files.writeString(effects, effect + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void reach(String reached) throws IOException {
        if (point.equals(reached)) {
            System.out.println("at " + reached);
            System.in.read();
        }
    }
}
