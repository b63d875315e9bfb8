package dev.idem.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who leads, and who gets which failure. */
@Timeout(60)
class WriteQueueTest {
    private static final class Write extends QueuedWrite<String> {}

    /** Queues another write while the first is being written, and fails at the other. */
    private static final class Failing extends WriteQueue<Write> {
        private final Write own = new Write();
        private CompletableFuture<String> other = new CompletableFuture<>();

        @Override
        protected void write(Write first, Queue<Write> more) {
            if (first == own) {
                other = CompletableFuture.supplyAsync(() -> submit(new Write()));
                while (waiting() == 0) {
                    Thread.onSpinWait();
                }
                first.succeed("written");
                first.finish();
            } else {
                IllegalStateException broken = new IllegalStateException("broken");
                first.fail(broken);
                first.finish();
                throw broken;
            }
        }

        String submit(Write write) {
            await(write);
            return write.answer();
        }
    }

    @Test
    void anErrorOfOthersDoesNotReachALeaderWhoseOwnWriteIsDone() {
        Failing queue = new Failing();

        assertThat(queue.submit(queue.own)).isEqualTo("written");
        assertThatThrownBy(queue.other::join).hasRootCauseMessage("broken");
        assertThat(queue.waiting()).isZero();
    }
}
