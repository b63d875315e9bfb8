package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.demo.ShopDemo;
import dev.idem.command.Answer;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;

/** {@code idem serve --demo}: the console on a ledger that is made for it, and deleted when the server ends. */
record ServeDemo(Surroundings around, String version) {
    private static final NetworkCarrier.Place PLACE = new NetworkCarrier.Place("127.0.0.1", 0, null, null);

    Answer run() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        if (!around.signals().handTo(name -> end.countDown())) {
            return ServeCommand.ended(around);
        }
        around.complain("idem: making a shop that has been at work for some hours…\n");
        try (ShopDemo demo = ShopDemo.make(around);
                Ledger ledger = around.ledgers().open(demo.ledger(), false);
                Api api = new Api(ledger, demo.ledger(), around.host(), version)) {
            TokenFile tokens = demo.tokens();
            try (NetworkCarrier carrier =
                    NetworkCarrier.start(api, PLACE, tokens, Operations.read(demo.operations()), around.host())) {
                demo.start(api);
                URI url = carrier.signInUrl(tokens.list().get(0));
                around.complain("idem: serving the demo at " + carrier.url() + "\n  token: " + demo.token()
                        + "\n  the console, signed in, once and within a minute: " + url
                        + "\n  all of it is made up, and is deleted when this ends (Ctrl-C)\n");
                new Browser(around).open(url);
                end.await();
                around.complain("idem: ending\n");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            around.signals().ended();
        }
        return ServeCommand.ended(around);
    }
}
