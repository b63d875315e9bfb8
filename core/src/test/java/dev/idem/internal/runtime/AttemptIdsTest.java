package dev.idem.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.AttemptId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptIdsTest {
    /**
     * A virtual machine is restored twice from one image, and both claim the same key with their first id. The second
     * looked like the first asking again for a lost answer, and both were granted the ticket.
     */
    @Test
    void twoCopiesOfOneProcessMakeDifferentIds() {
        AttemptId one = new AttemptIds(7, 1).apply(1_000);
        AttemptId other = new AttemptIds(7, 1).apply(1_001);

        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void noTwoAreTheSame() {
        AttemptIds ids = new AttemptIds();
        Set<AttemptId> made = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(made.add(ids.apply(0))).isTrue();
        }
    }
}
