package dev.idem.mcp;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.mcp.guard.CallKey;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.Splice;
import dev.idem.mcp.guard.ToolRule;
import dev.idem.mcp.stdio.Lines;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A guard as a process of its own. The arguments of {@link #main} are a ledger, the folder of the server, and the command
 * of the server. A call of someone who is called like a point of the ledger stops there, until the guard is killed or the
 * test lets it go.
 */
public final class GuardProcess {
    private GuardProcess() {}

    /** Guards with the faults of others. */
    enum Broken {
        NOT,
        /** Forgets everything when it ends. */
        IN_MEMORY,
        /** Takes the id of a request for the key of its call. */
        BY_REQUEST_ID,
        /** Runs a call again whose end it does not know. */
        RERUNS;

        String ledger(Path folder) {
            return this == IN_MEMORY ? "memory:" : "sqlite:" + folder.resolve("idem.db");
        }

        McpRules rules() {
            String rules = this == RERUNS
                    ? "pay: {on_doubt: rerun}"
                    : "probed: {probe_grace: 0s, probe: {tool: find, arguments: {to: \"{to}\"}, found: /found}},"
                            // Of the server "everything": it asks for a link before it does anything.
                            + " trigger-url-elicitation: {failed_on: [\"*requires browser-based authorization.\"]}";
            return McpRules.parse("{version: 1, tools: {" + rules + "}}", "rules");
        }

        InputStream in(InputStream from) throws IOException {
            if (this != BY_REQUEST_ID) {
                return from;
            }
            PipedOutputStream out = new PipedOutputStream();
            PipedInputStream in = new PipedInputStream(out);
            Thread thread = new Thread(() -> {
                Lines lines = new Lines(from, 1_000_000);
                try (out) {
                    for (byte[] line = lines.next(); line != null; line = lines.next()) {
                        String id = String.valueOf(Message.ofHost(line).id());
                        String meta = "{\"dev.idem/key\":\"" + id + "\"}";
                        byte[] params = Splice.find(line, "params");
                        String changed = params == null
                                ? ""
                                : new String(Splice.add(params, "_meta", meta), StandardCharsets.UTF_8);
                        out.write(params == null ? line : Splice.replace(line, changed, "params"));
                        out.write('\n');
                        out.flush();
                    }
                } catch (IOException | Message.Malformed e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
            return in;
        }
    }

    public static void main(String[] args) throws Exception {
        List<String> command = Arrays.asList(args).subList(2, args.length);
        Ledger ledger = new StoppingLedger(Ledgers.open(args[0]), Path.of(args[1]));
        try (Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Broken broken = Broken.valueOf(System.getProperty("guard", Broken.NOT.name()));
            // The name must not depend on the fault that the server is to show.
            McpOptions options = McpOptions.of("fixture").rules(broken.rules());
            System.exit(new StdioProxy(idem, options, command).run(broken.in(System.in), System.out));
        }
    }

    /** The command of a guard in front of a server. Its ledger is in the folder. */
    static List<String> before(List<String> server, Path folder) {
        return before(server, Broken.NOT, folder);
    }

    static List<String> before(List<String> server, Broken broken, Path folder) {
        List<String> java = TestHost.command(folder);
        List<String> command = new ArrayList<>(java.subList(0, java.size() - 2));
        command.add(1, "-Dguard=" + broken);
        command.addAll(List.of(GuardProcess.class.getName(), broken.ledger(folder), folder.toString()));
        command.addAll(server);
        return command;
    }

    private static final class StoppingLedger extends ForwardingLedger {
        private final Path folder;

        StoppingLedger(Ledger inner, Path folder) {
            super(inner);
            this.folder = folder;
        }

        @Override
        public Claim claim(ClaimRequest request) {
            at("before-the-claim", request.address());
            Claim claim = inner.claim(request);
            at("after-the-claim", request.address());
            if (is("in-the-opening", request.address())) {
                reach("in-the-opening");
            }
            return claim;
        }

        @Override
        public Settled settle(Ticket ticket, Settlement how) {
            at("before-the-record", ticket.address());
            Settled settled = inner.settle(ticket, how);
            at("after-the-record", ticket.address());
            return settled;
        }

        private void at(String here, Address address) {
            if (!is(here, address)) {
                return;
            }
            reach(here);
            try {
                FixtureServer.awaitGo(folder);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private static boolean is(String point, Address address) {
            CallKey key = CallKey.of(Map.of("to", point), ToolRule.NONE);
            return address.key().equals(key.in(address.scope(), address.operation(), ToolRule.NONE));
        }

        private void reach(String here) {
            try {
                Files.writeString(
                        folder.resolve("reached"),
                        "guard " + here + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
