package dev.idem.server.http;

import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;

/** A server in a process of its own, so that a test can give it a small heap. It says its port and a token. */
final class SmallServer {
    private SmallServer() {}

    public static void main(String[] args) throws Exception {
        TokenFile tokens = new TokenFile(Path.of(args[0]), Host.system());
        String secret = tokens.add("all", Access.ALL, null);
        try (Ledger ledger = Ledgers.open(args[1]);
                Api api = new Api(ledger, args[1], Host.system(), "1");
                NetworkCarrier carrier = NetworkCarrier.start(
                        api,
                        new NetworkCarrier.Place("127.0.0.1", 0, null, null),
                        tokens,
                        Operations.NONE,
                        Host.system())) {
            System.out.println(carrier.port() + " " + secret + " " + tokens.add("other", Access.ALL, null));
            System.in.read();
        }
    }
}
