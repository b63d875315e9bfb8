package dev.idem.cli.run;

import dev.idem.call.Action;
import dev.idem.call.Call;
import dev.idem.call.SideEffect;
import dev.idem.cli.around.Signals;
import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.cli.recorded.CommandResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tries a command again under the same ticket, where that can do no harm: when nothing happened, or when the command is
 * idempotent. An end that may have been one is not forgotten over a later failure.
 */
final class Retrying implements Action<CommandResult, Exception> {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final CommandRun run;
    private final RunRequest request;
    private final Signals signals;

    Retrying(CommandRun run, RunRequest request, Signals signals) {
        this.run = run;
        this.request = request;
        this.signals = signals;
    }

    @Override
    public CommandResult run(Call call) throws Exception {
        CommandDoubtful doubtful = null;
        Duration pause = request.backoff();
        for (int left = request.retries(); ; left--) {
            try {
                return run.run(call);
            } catch (CommandFailed e) {
                stopIf(left == 0, doubtful, e);
            } catch (CommandDoubtful e) {
                doubtful = e;
                stopIf(left == 0 || request.sideEffect() != SideEffect.IDEMPOTENT, doubtful, e);
            }
            Thread.sleep(pause.toMillis());
            pause = pause.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : pause.multipliedBy(2);
            if (!signals.again(Thread.currentThread())) {
                throw doubtful != null ? doubtful : new InterruptedException("a signal came between two tries");
            }
        }
    }

    private static void stopIf(boolean over, @Nullable CommandDoubtful doubtful, Exception last) throws Exception {
        if (over) {
            throw doubtful == null ? last : doubtful;
        }
    }
}
