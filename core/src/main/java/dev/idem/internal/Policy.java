package dev.idem.internal;

import dev.idem.call.Classifier;
import dev.idem.call.Probe;
import dev.idem.call.RemoteKeys;
import dev.idem.call.Reworded;
import dev.idem.call.SideEffect;
import dev.idem.entry.Retention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How calls are treated, as far as it was declared. Written only while a copy is being made; shared and never changed
 * after that.
 */
public final class Policy implements Cloneable {
    public SideEffect sideEffect = SideEffect.WRITE;
    public Duration lease = Duration.ofSeconds(30);
    public Duration timeLimit = Duration.ofMinutes(5);
    public Duration wait = Duration.ofSeconds(10);
    public Retention retention = Retention.DEFAULT;
    public boolean retentionGiven;
    public boolean staged;
    public boolean rerun;
    public @Nullable Probe<?> probe;
    /** Null where none was declared: then the doubted attempt's time limit stands, even where its end was seen. */
    public @Nullable Duration grace;

    public @Nullable RemoteKeys remote;
    public Classifier classifier = thrown -> Classifier.Judgement.UNDECIDED;
    public boolean keepFailures;
    public Reworded reworded = Reworded.WARN;
    public boolean interrupt;

    Policy() {}

    /** A copy that may be written until it is handed on. */
    Policy copy() {
        try {
            return (Policy) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether running it again does no harm by its own declaration. */
    boolean safeToRerun() {
        return sideEffect != SideEffect.DESTRUCTIVE && (rerun || sideEffect == SideEffect.IDEMPOTENT);
    }

    Duration graceOrZero() {
        return grace == null ? Duration.ZERO : grace;
    }

    /** How long to wait for a running duplicate; a destructive one is refused at once. */
    Duration effectiveWait() {
        return sideEffect == SideEffect.DESTRUCTIVE ? Duration.ZERO : wait;
    }

    /** Destructive operations keep a tombstone for as long as their result, unless told otherwise. */
    Retention effectiveRetention() {
        return sideEffect == SideEffect.DESTRUCTIVE && !retentionGiven
                ? retention.withTombstone(retention.keep())
                : retention;
    }

    /** What did not happen may run again, and still may when it is forgotten: it leaves no tombstone. */
    Retention retentionOfNothing() {
        return Retention.of(retention.keep());
    }
}
