package dev.idem.agent.session;

import dev.idem.Idem;
import dev.idem.RemoteKeys;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.ToolAction;
import dev.idem.agent.tool.ToolInput;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Calls in memory, of tools that note the keys they were called with. */
abstract class CallCase {
    static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));
    static final Map<String, Object> ORDER = Map.of("order", 7);

    final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    final Retry quick = Retry.standard().baseDelay(Duration.ofNanos(1));
    final List<String> keys = new ArrayList<>();

    @AfterEach
    void close() {
        idem.close();
    }

    /** The response gets lost once. */
    final ToolAction<ToolInput> losing = (call, in) -> {
        keys.add(call.key());
        if (keys.size() == 1) {
            throw new SocketTimeoutException("lost");
        }
        return "refunded";
    };
}
