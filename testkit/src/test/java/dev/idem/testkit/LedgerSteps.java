package dev.idem.testkit;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.internal.rules.StateMachine;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The steps of a ledger on two keys, with answers that can be compared. Fences are numbers that the caller guesses: the
 * first grant gets 1, the next 2, so that a guess is sometimes current, sometimes stale, sometimes nobody's.
 */
final class LedgerSteps {
    private static final Moment NOW = Moment.ofWall(Instant.parse("2026-03-01T12:00:00Z"));
    private static final List<Settlement> ENDINGS =
            List.of(Settlements.completed("1"), Settlements.failed(), Settlements.doubtful());
    private static final StateMachine RULES = new StateMachine(Processes.unknown());

    private final Ledger ledger;

    LedgerSteps(Function<LedgerContext, Ledger> opener) {
        this.ledger = opener.apply(new LedgerContext(() -> NOW, Processes.unknown()));
    }

    String claim(int key, int attempt, boolean takeOver) {
        Claim claim = ledger.claim(request(key, attempt).withTakeOver(takeOver ? TakeOver.RERUN : TakeOver.NONE));
        return claim.getClass().getSimpleName() + " " + shown(claim.entry());
    }

    private static ClaimRequest request(int key, int attempt) {
        return ClaimRequest.of(new AttemptId(0, attempt), address(key), Fingerprints.NONE, Owner.named("lin"));
    }

    boolean renew(int key, int fence) {
        return ledger.renew(ticket(key, fence), Duration.ofSeconds(30));
    }

    String settle(int key, int fence, int ending) {
        return ledger.settle(ticket(key, fence), ENDINGS.get(ending)).getClass().getSimpleName();
    }

    boolean resolve(int key, int fence, int ending) {
        return ledger.resolve(address(key), new Fence(fence), ENDINGS.get(ending));
    }

    boolean forget(int key, int fence, int ending) {
        return ledger.forget(seen(key, fence, ending));
    }

    /** The entry of a grant with this fence that ended so, as somebody may have seen it. */
    private static Entry seen(int key, int fence, int ending) {
        Entry granted = RULES.claim(null, request(key, 1), NOW, () -> new Fence(fence))
                .answer()
                .entry();
        return Objects.requireNonNull(RULES.settle(granted, granted.ticket(), ENDINGS.get(ending), NOW)
                .put());
    }

    String find(int key) {
        return ledger.find(address(key)).map(LedgerSteps::shown).orElse("nothing");
    }

    private static String shown(Entry entry) {
        return entry.state().word() + " fence " + entry.fence() + " attempt " + entry.attempt();
    }

    private static Ticket ticket(int key, int fence) {
        return new Ticket(address(key), new Fence(fence));
    }

    private static Address address(int key) {
        return new Address("shop", "charge", "key-" + key);
    }
}
