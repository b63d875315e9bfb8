package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnreadableException;
import dev.idem.spi.LedgerUrl;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hot standby answers questions, but is no ledger. */
@Timeout(120)
class ReplicaIT {
    @Test
    void aReadOnlyReplicaSaysThatItIsOne() throws Exception {
        Path data =
                TestServer.folder().resolve("replica-" + ProcessHandle.current().pid());
        EmbeddedPostgres primary = TestServer.builder(data).start();
        try {
            open(primary);
            primary.close();
            // A copy of a server that was stopped, told to follow: as real a standby as one that is fed.
            Files.createFile(data.resolve("standby.signal"));
            try (EmbeddedPostgres replica = TestServer.builder(data).start()) {
                assertThatThrownBy(() -> open(replica))
                        .isInstanceOf(LedgerUnreadableException.class)
                        .hasMessageContaining("read-only replica")
                        .hasMessageContaining("name the primary");
            }
        } finally {
            TestServer.remove(primary, data);
        }
    }

    private static void open(EmbeddedPostgres server) {
        new PostgresqlLedgerProvider()
                .open(
                        LedgerUrl.parse(
                                "postgresql://postgres@127.0.0.1:" + server.getPort() + "/postgres?timeout=60s"),
                        Requests.HERE)
                .close();
    }
}
