package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.server.Access;
import dev.idem.server.ApiException;
import dev.idem.server.Caller;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.testkit.Until;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdmissionTest {
    private static final int CROWD = 300;

    @TempDir
    Path folder;

    private final Admission admission = new Admission();

    private Caller caller(String name) {
        TokenFile tokens = new TokenFile(folder.resolve("tokens.json"), Host.system());
        return Caller.of(new Token(name, name, Access.ALL, Instant.now(), null), tokens);
    }

    private String ask(String method, Caller caller, CountDownLatch end) {
        return admission.call(method, caller, null, () -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return "{}";
        });
    }

    /** One token looked at so many pages that the claims of others were refused. */
    @Test
    void thoseWhoLookLeaveRoomForOthers() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(0);
        AtomicInteger refused = new AtomicInteger();
        List<Thread> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            Thread one = new Thread(() -> {
                try {
                    ask("browse", caller("a"), end);
                } catch (ApiException e) {
                    refused.incrementAndGet();
                }
            });
            one.start();
            crowd.add(one);
        }
        Until.isTrue("most are refused", () -> refused.get() >= CROWD - 32);
        for (String other : List.of("b", "c")) {
            for (String method : List.of("claim", "settle", "browse", "stats", "result")) {
                assertThat(ask(method, caller(other), ended)).isEqualTo("{}");
            }
        }
        assertThat(ask("claim", caller("a"), ended)).isEqualTo("{}");
        end.countDown();
        for (Thread each : crowd) {
            each.join();
        }
    }
}
