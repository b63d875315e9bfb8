package dev.idem.agent.session;

import dev.idem.Address;
import dev.idem.SideEffect;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the calls of a session. */
final class SessionCounts {
    /** Addresses beyond this number are not remembered, so their duplicates count as replays only. */
    private static final int MOST_REMEMBERED = 10_000;

    /** The endings of a duplicate that would have taken effect again. */
    private static final Set<Status> PREVENTED = EnumSet.of(
            Status.REPLAYED,
            Status.STOPPED,
            Status.IN_FLIGHT,
            Status.IN_DOUBT,
            Status.CONFLICT,
            Status.EXPIRED,
            Status.DONE_WITHOUT_RESULT);

    private final String session;
    private final Set<Address> made = ConcurrentHashMap.newKeySet();
    private final LongAdder calls = new LongAdder();
    private final LongAdder ran = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final LongAdder recorded = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final LongAdder repeats = new LongAdder();

    SessionCounts(String session) {
        this.session = session;
    }

    Count begin(ToolCall call) {
        calls.increment();
        if (call.occurrence > 1) {
            repeats.increment();
        }
        return new Count();
    }

    SessionReport report() {
        return new SessionReport(
                session,
                calls.sum(),
                ran.sum(),
                replayed.sum(),
                recorded.sum(),
                refused.sum(),
                duplicates.sum(),
                repeats.sum());
    }

    /** Remembers an address; true if it is new to the session. */
    private boolean isNew(Address address) {
        return made.size() < MOST_REMEMBERED ? made.add(address) : !made.contains(address);
    }

    /** One call. */
    final class Count {
        private volatile boolean acted;
        private @Nullable Address effect;

        /** Sets the entry of the call. */
        void about(Prepared prepared) {
            effect = prepared.tool().sideEffect() == SideEffect.READ ? null : prepared.address();
        }

        /** The code of the call runs now: from now on the same call is a duplicate. */
        void ran() {
            acted = true;
            Address address = effect;
            if (address != null) {
                isNew(address);
            }
        }

        /** Whether the code of the call has run. */
        boolean acted() {
            return acted;
        }

        /** Whether an earlier run of the task has made this call. */
        boolean resumes() {
            Address address = effect;
            // With a full memory this is unknown; then the call counts for the loop guard.
            return !acted && address != null && made.size() < MOST_REMEMBERED && !made.contains(address);
        }

        ToolAnswer end(ToolAnswer answer) {
            Status status = answer.status();
            LongAdder without = status == Status.REPLAYED ? replayed : status == Status.RECORDED ? recorded : refused;
            (acted ? ran : without).increment();
            Address address = effect;
            if (!acted && address != null && PREVENTED.contains(status) && !isNew(address)) {
                duplicates.increment();
            }
            return answer;
        }
    }
}
