package dev.idem.examples.checkout;

import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.RedisProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A place for a ledger that outlives the agent.
 *
 * @param url the ledger as the agent opens it
 * @param server what has to be stopped after it
 */
record Store(String url, Closeable server) implements Closeable {
    /** The kinds of stores. */
    enum Kind {
        SQLITE {
            @Override
            Store open(Path folder) {
                return new Store("sqlite:" + folder.resolve("idem.db"), () -> {});
            }
        },
        POSTGRESQL {
            @Override
            Store open(Path folder) throws IOException {
                PostgresqlServer server = new PostgresqlServer(folder);
                return new Store(server.url(), server);
            }
        },
        /** It writes everything to disk before it answers. */
        REDIS {
            @Override
            Store open(Path folder) {
                RedisProcess server = RedisProcess.start(
                        RedisProcess.bundled(folder), folder, "--appendonly", "yes", "--appendfsync", "always");
                return new Store(server.url(), server);
            }
        };

        /** Starts one, all of whose files are in this folder. */
        abstract Store open(Path folder) throws IOException;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
