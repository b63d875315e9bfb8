package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.Outcome;
import dev.idem.Repeat;
import dev.idem.internal.call.Flights.Flight;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers duplicates inside this process: from the near cache, or together with the running call of the same key. */
final class Sharing {
    private final Flights flights = new Flights();
    private final Replaying replaying;
    private final Claiming claiming;

    Sharing(Replaying replaying, Claiming claiming) {
        this.replaying = replaying;
        this.claiming = claiming;
    }

    <T extends @Nullable Object> CompletableFuture<Outcome<T>> call(Admitted call, Runner<T> runner)
            throws InterruptedException {
        Repeat repeat = call.policy().onRepeat();
        Outcome<T> near = repeat == Repeat.RUN ? null : replaying.replayNear(call);
        if (near != null) {
            return CompletableFuture.completedFuture(near);
        }
        return fly(call, repeat, runner).thenApply(Ended::outcome);
    }

    private <T extends @Nullable Object> CompletableFuture<Ended<T>> fly(Admitted call, Repeat repeat, Runner<T> runner)
            throws InterruptedException {
        if (call.policy().waitFor().isZero()) {
            return claiming.call(call, runner);
        }
        Flight mine = new Flight(call.address(), call.fingerprints(), repeat);
        Flight running = flights.join(mine);
        if (running != null) {
            return running.serves(call.fingerprints(), repeat)
                    ? claiming.share(running, call, runner)
                    : claiming.call(call, runner);
        }
        boolean started = false;
        try {
            CompletableFuture<Ended<T>> end = claiming.call(call, runner);
            started = true;
            return end.whenComplete((ended, thrown) -> land(mine, ended == null ? null : ended.shared()));
        } finally {
            if (!started) {
                land(mine, null);
            }
        }
    }

    /** In this order: a landed flight that is still registered would be shared for ever. */
    private void land(Flight mine, @Nullable Entry shared) {
        try {
            flights.leave(mine);
        } finally {
            mine.land(shared);
        }
    }
}
