package dev.idem.internal.call;

import dev.idem.Listener;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Owner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;

/**
 * The settings of an engine, fixed when it is opened.
 *
 * @param owner the owner of all claims
 * @param attemptIds makes attempt ids, given when the claim is sent by the monotonic clock
 * @param async runs the asynchronous form
 * @param settleFor how long a settle is retried while the ledger can't be reached
 * @param purgeEvery how often expired entries are purged; zero for never
 * @param transactions the transactions of a framework, around calls
 * @param keepsDetails whether entries keep identity fields as labels, and logs show the exceptions of actions
 */
public record Settings(
        Owner owner,
        Codecs codecs,
        List<Listener> listeners,
        Clock clock,
        LongFunction<AttemptId> attemptIds,
        Executor async,
        NearCache.Limits nearCache,
        Duration settleFor,
        Duration purgeEvery,
        AmbientTransactions transactions,
        boolean keepsDetails) {}
