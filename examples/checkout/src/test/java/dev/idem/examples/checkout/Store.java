package dev.idem.examples.checkout;

import java.io.IOException;
import java.nio.file.Path;

/** A place for a ledger that outlives the agent, with the server it needs. */
interface Store extends AutoCloseable {
    /** What there is. */
    enum Kind {
        SQLITE {
            @Override
            Store open(Path folder) {
                return new SqliteStore(folder);
            }
        },
        POSTGRESQL {
            @Override
            Store open(Path folder) throws IOException {
                return new PostgresqlStore(folder);
            }
        },
        REDIS {
            @Override
            Store open(Path folder) throws IOException {
                return new RedisStore(folder);
            }
        };

        /** Starts one, all of whose files are in this folder. */
        abstract Store open(Path folder) throws IOException;
    }

    /** A file, and no server. */
    record SqliteStore(Path folder) implements Store {
        @Override
        public String url() {
            return "sqlite:" + folder.resolve("idem.db");
        }

        @Override
        public void close() {}
    }

    /** The ledger as the agent opens it. */
    String url();

    @Override
    void close() throws IOException;
}
