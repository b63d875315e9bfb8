package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An agent in a process of its own, which ends without a farewell where it is told to. */
final class KilledAgent {
    private KilledAgent() {}

    /** Arguments: the ledger, the file in which effects are counted, and before which of the three calls to die. */
    public static void main(String[] arguments) throws Exception {
        Path effects = Path.of(arguments[1]);
        int dieBefore = Integer.parseInt(arguments[2]);
        try (Idem idem = Idem.builder().ledger(arguments[0]).quiet().open()) {
            Session session = Session.of(
                    idem,
                    "order-flow-abc123",
                    effect("charge", effects),
                    effect("mail", effects),
                    effect("order", effects));
            int calls = 0;
            for (Tool tool : session.tools().all()) {
                if (++calls == dieBefore) {
                    Runtime.getRuntime().halt(137);
                }
                ToolAnswer answer = session.call(tool.name(), "{\"order\":7}");
                System.out.println(tool.name() + " " + answer.status().word() + " " + answer.value());
            }
            System.out.println(session.report());
        }
    }

    private static Tool effect(String name, Path effects) {
        return Tool.named(name).run((call, in) -> {
            Files.writeString(effects, name + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return name + " done";
        });
    }
}
