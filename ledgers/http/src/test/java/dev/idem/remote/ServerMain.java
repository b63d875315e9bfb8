package dev.idem.remote;

import dev.idem.server.Api;
import dev.idem.server.http.SocketCarrier;
import dev.idem.spi.Host;
import dev.idem.spi.Ledgers;
import java.nio.file.Path;

/** A server in a process of its own, which can be killed. It ends with the test that started it. */
final class ServerMain {
    private ServerMain() {}

    public static void main(String[] arguments) throws Exception {
        Api api = new Api(Ledgers.open(arguments[0]), arguments[0], Host.system(), "1");
        SocketCarrier.start(api, Path.of(arguments[1]));
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // The test says nothing.
        }
        Runtime.getRuntime().halt(0);
    }
}
