package dev.idem.remote;

import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.LedgerFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A server whose ledger is exchanged: each fixture is an empty store behind it. */
final class Stores implements AutoCloseable {
    private final AtomicReference<Ledger> store = new AtomicReference<>();
    private final TestServer server;

    /** A server over TCP or at a socket, with its files in a folder. */
    Stores(BiFunction<Ledger, Path, TestServer> start, Path folder) {
        Ledger exchanged = (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(store.get(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        store.set(Ledgers.open("memory:"));
        this.server = start.apply(new TestServer.Unnamed(exchanged), folder);
    }

    /** Puts the remote ledger in front of a store, which is closed with the last handle on it. */
    LedgerFixture fixture(Function<LedgerContext, ? extends Ledger> opener) {
        int[] handles = {0};
        return LedgerFixture.durable(context -> {
            if (handles[0]++ == 0) {
                store.set(opener.apply(context));
            }
            return new ForwardingLedger(server.open()) {
                private boolean closed;

                @Override
                public void close() {
                    super.close();
                    if (!closed && --handles[0] == 0) {
                        store.get().close();
                    }
                    closed = true;
                }
            };
        });
    }

    @Override
    public void close() {
        server.close();
    }
}
