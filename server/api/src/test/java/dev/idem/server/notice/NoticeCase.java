package dev.idem.server.notice;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Servers that tell a receiver about doubts in a ledger in a file. */
abstract class NoticeCase {
    static final URI LINK = URI.create("https://ops.example.com/idem");
    private static final Duration OFTEN = Duration.ofMillis(20);

    @TempDir
    Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();
    Ledger ledger;
    Idem idem;
    Receiver receiver;

    @BeforeEach
    void open() throws IOException {
        ledger = closing(Ledgers.open(url()));
        idem = closing(Idem.builder().ledger(ledger).quiet().open());
        receiver = closing(new Receiver());
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    String url() {
        return "sqlite:" + folder.resolve("idem.db") + "?busy=60s";
    }

    <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    /** A server that tells these. */
    Notices tell(Channel... channels) {
        return closing(Notices.start(ledger, List.of(channels), LINK, OFTEN));
    }

    void doubt(String key) {
        doubt("order-7", "charge", key);
    }

    void doubt(String scope, String operation, String key) {
        idem.operation(operation)
                .scope(scope)
                .key(key)
                .label("customer", "cus_1")
                .policy(Policy.write().waitFor(Duration.ZERO))
                .attempt(call -> {
                    throw new SocketTimeoutException("a message with s3cret");
                });
    }

    void doubts(int count, String beginning) {
        for (int i = 1; i <= count; i++) {
            doubt(beginning + i);
        }
    }
}
