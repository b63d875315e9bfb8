package dev.idem.mcp;

import dev.idem.Idem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A guard as a process of its own. The arguments of {@link #main} are a ledger and the command of the server. */
public final class GuardProcess {
    private GuardProcess() {}

    public static void main(String[] args) throws Exception {
        List<String> command = Arrays.asList(args).subList(1, args.length);
        try (Idem idem = Idem.builder().ledger(args[0]).quiet().open()) {
            // The name must not depend on the fault that the server is to show.
            System.exit(new StdioProxy(idem, McpOptions.of("fixture"), command).run(System.in, System.out));
        }
    }

    static List<String> command(Path folder, String... fault) {
        return before(TestHost.command(folder, fault), folder);
    }

    /** The command of a guard in front of a server. Its ledger is in the folder. */
    static List<String> before(List<String> server, Path folder) {
        List<String> java = TestHost.command(folder);
        List<String> command = new ArrayList<>(java.subList(0, java.size() - 2));
        command.add(GuardProcess.class.getName());
        command.add("sqlite:" + folder.resolve("idem.db"));
        command.addAll(server);
        return command;
    }
}
