package dev.idem.agent.guard;

import org.jspecify.annotations.Nullable;

/** One counted call of a session. Its result is kept in this process for as long as it is in the window. */
final class CountedCall {
    final String tool;
    final String key;
    /** Whether it is known to change nothing. */
    final boolean read;

    private volatile @Nullable Ending ending;
    private volatile @Nullable Object result;
    private volatile @Nullable Throwable failure;

    CountedCall(String tool, String key, boolean read) {
        this.tool = tool;
        this.key = key;
        this.read = read;
    }

    boolean sameAs(CountedCall other) {
        return key.equals(other.key) && tool.equals(other.tool);
    }

    @Nullable
    Ending ending() {
        return ending;
    }

    void ended(Ending how) {
        ending = how;
    }

    @Nullable
    Object result() {
        return result;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    void gave(@Nullable Object value) {
        result = value;
    }

    void threw(Throwable thrown) {
        failure = thrown;
    }
}
