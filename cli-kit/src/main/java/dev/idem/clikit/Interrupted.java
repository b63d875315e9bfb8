package dev.idem.clikit;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** What is said when a signal ended a call. */
final class Interrupted {
    private Interrupted() {}

    /**
     * The answer of a call that was told to stop.
     *
     * @param acted whether the command had begun
     * @param ended how it ended all the same; null when it did not within its grace
     */
    static Answer answer(Interruption.Caught caught, boolean acted, @Nullable Answer ended) {
        Problem why = ended == null ? null : ended.problem();
        boolean nothing = !acted || (why != null && why.mayRetry());
        String fate;
        if (nothing) {
            fate = "Nothing was done";
        } else if (ended != null && ended.exit() == 0) {
            fate = "By then it was done (" + ended.effect() + "); the same call with the same key gives its result";
        } else {
            fate = "Nobody knows whether it took effect, so its key is in doubt"
                    + (why == null ? "" : ": " + why.text("message"));
        }
        Problem problem = Problem.of("INTERRUPTED", "SIG" + caught.name() + " ended this call. " + fate)
                .retryable(nothing);
        Answer answer = Answer.no(caught.exit(), problem);
        if (ended != null) {
            ended.meta().forEach(answer::meta);
        }
        return answer;
    }

    /** For the one who may not answer any more: the other one ends the process, whatever interrupts this one. */
    static void awaitTheEnd() {
        CountDownLatch never = new CountDownLatch(1);
        boolean interrupted;
        do {
            try {
                never.await();
                interrupted = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        } while (interrupted);
    }
}
