package dev.idem.testkit.contract;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Mark;
import dev.idem.spi.Result;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.World;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A process that follows the protocol without the engine: claim, act, settle; it repeats unanswered requests, and
 * probes entries in doubt instead of running them again.
 */
final class ProtocolClient {
    /** How a run ended. */
    enum Ending {
        DONE,
        REPLAYED,
        IN_FLIGHT,
        IN_DOUBT,
        /** It stopped before it acted. */
        STOPPED,
        /** It has not run, because the ledger did not answer. */
        NO_LEDGER,
        /** It has acted, but the ledger did not record it. */
        UNRECORDED
    }

    record Outcome(Ending ending, @Nullable String receipt) {
        static Outcome of(Ending ending) {
            return new Outcome(ending, null);
        }
    }

    private static final int SENDS = 3;

    private final FaultyLedger ledger;
    private final World world;
    private final Supplier<ClaimRequest> requests;
    private Runnable beforeEffect = () -> {};
    private Runnable afterEffect = () -> {};

    /** {@code requests} supplies new claims of this process. */
    ProtocolClient(FaultyLedger ledger, World world, Supplier<ClaimRequest> requests) {
        this.ledger = ledger;
        this.world = world;
        this.requests = requests;
    }

    FaultyLedger ledger() {
        return ledger;
    }

    ProtocolClient beforeEffect(Runnable happening) {
        beforeEffect = happening;
        return this;
    }

    ProtocolClient afterEffect(Runnable happening) {
        afterEffect = happening;
        return this;
    }

    /** Runs the operation once, or returns the reason why not. */
    Outcome run(UnaryOperator<ClaimRequest> how) {
        ClaimRequest request = how.apply(requests.get());
        Optional<Claim> claim = send(() -> ledger.claim(request));
        if (claim.isEmpty()) {
            return Outcome.of(Ending.NO_LEDGER);
        } else if (claim.get() instanceof Claim.Granted granted) {
            return granted.entry().probing() ? probe(granted.ticket()) : act(granted.entry());
        } else if (claim.get() instanceof Claim.Replay replay) {
            return new Outcome(Ending.REPLAYED, receipt(replay.entry()));
        } else if (claim.get() instanceof Claim.InFlight) {
            return Outcome.of(Ending.IN_FLIGHT);
        } else if (claim.get() instanceof Claim.InDoubt) {
            return Outcome.of(Ending.IN_DOUBT);
        }
        throw new AssertionError("a client of its own key was answered " + claim.get());
    }

    private Outcome act(Entry granted) {
        if (granted.tenure().staged()
                && !send(() -> ledger.mark(granted.ticket(), Mark.of("acting"))).orElse(false)) {
            Settlement.Failed stopped = Settlements.failed();
            send(() -> ledger.settle(granted.ticket(), stopped));
            return Outcome.of(Ending.STOPPED);
        }
        beforeEffect.run();
        String receipt = world.act(name(granted.address()));
        afterEffect.run();
        return record(granted.ticket(), receipt);
    }

    private Outcome record(Ticket ticket, String receipt) {
        Settlement.Completed how = Settlements.completed(receipt);
        Optional<Settled> settled = send(() -> ledger.settle(ticket, how));
        if (settled.isEmpty() || settled.get() instanceof Settled.Stale) {
            return new Outcome(Ending.UNRECORDED, receipt);
        }
        return new Outcome(Ending.DONE, receipt);
    }

    private Outcome probe(Ticket ticket) {
        Optional<String> found = world.lookUp(name(ticket.address()));
        if (found.isPresent()) {
            return record(ticket, found.get());
        }
        Optional<Settled> settled = send(() -> ledger.settle(ticket, Settlements.notExecuted()));
        if (settled.isEmpty()) {
            return Outcome.of(Ending.NO_LEDGER);
        }
        return run(request -> request.withTakeOver(TakeOver.NONE));
    }

    private static <A> Optional<A> send(Supplier<A> call) {
        Optional<A> answer = Optional.empty();
        for (int i = 0; i < SENDS && answer.isEmpty(); i++) {
            answer = sendOnce(call);
        }
        return answer;
    }

    private static <A> Optional<A> sendOnce(Supplier<A> call) {
        try {
            return Optional.of(call.get());
        } catch (LedgerUnavailableException e) {
            return Optional.empty();
        }
    }

    private static String name(Address address) {
        return address.key();
    }

    private static @Nullable String receipt(Entry entry) {
        return entry.result() instanceof Result.Stored stored
                ? new String(stored.payload().bytes(), StandardCharsets.UTF_8)
                : null;
    }
}
