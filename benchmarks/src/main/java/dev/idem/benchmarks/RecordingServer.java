package dev.idem.benchmarks;

import dev.idem.Idem;
import dev.idem.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** The {@link EchoServer} with a ledger of its own: it records the entry that the guard would record for a call. */
final class RecordingServer {
    private RecordingServer() {}

    public static void main(String[] args) throws IOException {
        try (Idem idem = Ledgers.inSqlite(Path.of(args[0]))) {
            Operation<String> pay = idem.operation("pay").returning(String.class);
            EchoServer.serve(request -> {
                String order = EchoServer.member(request, "order");
                pay.identity(Map.of("to", "ann", "order", order))
                        .label("to", "ann")
                        .label("order", order)
                        .run(call -> "{\"content\":[]}");
            });
        }
    }
}
