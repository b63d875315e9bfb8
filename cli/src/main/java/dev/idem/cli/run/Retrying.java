package dev.idem.cli.run;

import dev.idem.Action;
import dev.idem.Call;
import dev.idem.SideEffect;
import dev.idem.cli.recorded.CommandDoubtful;
import dev.idem.cli.recorded.CommandFailed;
import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.command.Signals;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Retries a command under the same ticket if that is safe: nothing happened, or the command is idempotent. A try that
 * may have had an effect leaves the attempt in doubt, whatever a later failure says.
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
        CommandFailed failed = null;
        Duration pause = request.backoff();
        for (int left = request.retries(); ; left--) {
            try {
                return run.run(call);
            } catch (CommandFailed e) {
                failed = e;
            } catch (CommandDoubtful e) {
                call.ambiguous(e);
                doubtful = e;
            } catch (NotStarted e) {
                // The outcomes of the earlier tries stay: they ran.
                throw worst(doubtful, failed, e);
            }
            boolean again = left > 0 && (doubtful == null || request.sideEffect() == SideEffect.IDEMPOTENT);
            if (!again || !signals.pause(pause)) {
                throw worst(doubtful, failed, null);
            }
            pause = next(pause);
        }
    }

    static Duration next(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }

    private static Exception worst(
            @Nullable CommandDoubtful doubtful, @Nullable CommandFailed failed, @Nullable NotStarted last) {
        Exception worst = doubtful != null ? doubtful : failed;
        if (worst == null) {
            return last == null ? new IllegalStateException("no try was made") : last;
        } else if (last != null) {
            worst.addSuppressed(last);
        }
        return worst;
    }
}
