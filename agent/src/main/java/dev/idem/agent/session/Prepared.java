package dev.idem.agent.session;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Operation;
import dev.idem.Repeat;
import dev.idem.State;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.Vetted;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A vetted call: the address of its entry, and the operation that runs it.
 *
 * @param readKey the cache key of a READ: all arguments that its result may depend on
 * @param onWait code that runs before the call waits
 * @param resumes whether the call is the next round of an attempt in doubt
 */
record Prepared(
        Tool tool,
        Vetted vetted,
        Address address,
        Operation<@Nullable Object> operation,
        String readKey,
        Runnable onWait,
        Predicate<Entry> resumes) {
    /** Whether the call runs an attempt in doubt again. */
    boolean runsAgain(Entry doubted) {
        return tool.retrySafe() || resumes.test(doubted);
    }

    /** Whether the entry is complete and its result answers the call. A call of a tool that sets something runs instead. */
    boolean isDoneBy(Entry entry) {
        return entry.state() == State.COMPLETE && tool.policy().onRepeat() == Repeat.REPLAY;
    }
}
