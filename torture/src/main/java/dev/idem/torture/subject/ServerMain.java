package dev.idem.torture.subject;

import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.server.http.HeapWatch;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;

/** Serves a ledger over HTTP, until it is killed or its driver has ended. */
public final class ServerMain {
    private ServerMain() {}

    /** Takes the URL of the ledger and the file of the tokens, and prints the port. */
    public static void main(String[] arguments) throws Exception {
        Ledger ledger = Ledgers.open(arguments[0]);
        Api api = new Api(ledger, arguments[0], Host.system(), "torture");
        NetworkCarrier carrier = NetworkCarrier.start(
                api,
                new NetworkCarrier.Place("127.0.0.1", 0, null, null),
                new TokenFile(Path.of(arguments[1]), Host.system()),
                Operations.NONE,
                Host.system());
        HeapWatch.start(why -> {
            System.err.println("idem: ending: " + why);
            Runtime.getRuntime().halt(1);
        });
        System.out.println(carrier.port());
        while (System.in.read() >= 0) {
            // The driver says nothing.
        }
        Runtime.getRuntime().halt(3);
    }
}
