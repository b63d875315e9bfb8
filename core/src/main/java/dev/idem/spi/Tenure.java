package dev.idem.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holding of one ticket.
 *
 * @param attemptId the claim that was granted
 * @param owner the holder of the ticket
 * @param lease until when it is trusted without a heartbeat; of a settled entry, when it was settled
 * @param acted the fence of the attempt that acted last: the fence of this ticket or, while its holder only probes, the
 *     fence of the attempt in doubt
 * @param limit when the attempt that acted last is no longer able to act
 * @param staged whether the action promised to leave a mark before it acts, so that silence proves something
 * @param marks the marks of this attempt and of doubted attempts before it, oldest first
 */
public record Tenure(
        AttemptId attemptId, Owner owner, Moment lease, Fence acted, Moment limit, boolean staged, List<Mark> marks) {
    public Tenure {
        marks = List.copyOf(marks);
    }

    /** The newest mark, or null. */
    public @Nullable Mark lastMark() {
        return marks.isEmpty() ? null : marks.get(marks.size() - 1);
    }

    /** The newest child process that was marked, or null. */
    public @Nullable ProcessRef child() {
        for (int i = marks.size() - 1; i >= 0; i--) {
            ProcessRef child = marks.get(i).child();
            if (child != null) {
                return child;
            }
        }
        return null;
    }
}
