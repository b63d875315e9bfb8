package dev.idem.mcp.guard;

import java.util.concurrent.CompletableFuture;

/** The order in which calls were read. A call is sent to the server only after those before it were sent or answered. */
public final class Turns {
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

    /** A turn for a call that need not wait for others. */
    public static Turn outOfTurn() {
        return new Turns().next();
    }

    /** The turn of the next call. Called by the one thread that reads. */
    public Turn next() {
        Turn turn = new Turn(last, new CompletableFuture<>());
        last = turn.over;
        return turn;
    }

    /** The turn of one call. It must be given up once, else all later calls wait. */
    public record Turn(CompletableFuture<Void> before, CompletableFuture<Void> over) {
        void await() {
            before.join();
        }

        public void giveUp() {
            over.complete(null);
        }
    }
}
