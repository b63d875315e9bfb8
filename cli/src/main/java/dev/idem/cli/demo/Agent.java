package dev.idem.cli.demo;

import dev.idem.command.SystemSignals;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The checkout agent, a process of its own: asks the model, calls the tool, tells the model, until nothing is left. */
final class Agent {
    static final String BARE = "bare";

    private Agent() {}

    /** Takes how tools are called, where the world is, and for a session the ledger's URL and the task's id. */
    public static void main(String[] args) throws Exception {
        // Ctrl-C goes to all processes of a terminal; whoever started this one ends it.
        SystemSignals.sendTo((name, number) -> {});
        endWithParent();
        Remote remote = new Remote(args[1]);
        try (Hands hands = args[0].equals(BARE) ? new BareHands(remote) : new GuardedHands(remote, args[2], args[3])) {
            run(remote, hands);
        }
        System.exit(0);
    }

    private static void run(Remote remote, Hands hands) throws IOException, InterruptedException {
        List<Map<String, String>> results = new ArrayList<>();
        for (Map<?, ?> next = remote.ask(results);
                next.get("tool") instanceof String tool;
                next = remote.ask(results)) {
            Hands.Told told = hands.call(tool, arguments(next));
            results.add(Map.of("tool", told.tool(), "status", told.status(), "text", told.text()));
        }
    }

    @SuppressWarnings("unchecked") // the names in a plain object are strings
    private static Map<String, ?> arguments(Map<?, ?> call) {
        return (Map<String, ?>) Objects.requireNonNull(call.get("arguments"));
    }

    /** Nothing is ever written to stdin: its end is that of whoever started this process, however that came. */
    private static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // As good as its end.
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent");
        thread.setDaemon(true);
        thread.start();
    }
}
