package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.Fence;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Owner;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests each promise of a ledger and compares the result with its documentation. */
public abstract class PromiseContract extends LedgerCase {
    /** The promises in the ledger's documentation, such as {@link PromiseTable#of}. */
    protected abstract Map<Promise, Boolean> said();

    @ParameterizedTest
    @EnumSource
    void isGivenAsItIsSaid(Promise promise) {
        assertThat(given(promise))
                .as("whether %s gives: %s", ledger().describe(), promise.words())
                .isEqualTo(said().get(promise));
    }

    private boolean given(Promise promise) {
        return switch (promise) {
            case SURVIVES -> durable() && survives();
            case SHARED -> durable() && shared();
            case STEP_PROOF -> stepProof();
            case KNOWS_THE_DEAD -> knowsTheDead();
            case FENCE_SURVIVES_REMOVAL -> growsPast(this::forget) && growsPast(this::purge);
            case FENCE_SURVIVES_REOPENING -> durable() && growsPast(this::forgetAndReopen);
            case FENCE_SURVIVES_EVERYTHING -> growsPast(this::forgetAndGoBack);
            case BROWSABLE -> can(Browsable.class);
            case AWAITABLE -> can(Awaitable.class);
            case HISTORIED -> can(Historied.class);
            case GROUP_RENEWING -> can(GroupRenewing.class);
            case TRANSACTIONAL -> can(Transactional.class);
            case COUNTS_REPLAYS -> countsReplays();
        };
    }

    private boolean can(Class<?> capability) {
        return ledger().as(capability).isPresent();
    }

    private boolean survives() {
        complete();
        reopen();
        return ledger().find(KEY).isPresent();
    }

    private boolean shared() {
        take();
        return another().claim(request()) instanceof Claim.InFlight;
    }

    private boolean stepProof() {
        take();
        clocks().stepWall(LIMIT.multipliedBy(2));
        return ledger().claim(request()) instanceof Claim.InFlight;
    }

    private boolean knowsTheDead() {
        Owner owner = processes().startOwner();
        granted(request(owner));
        processes().kill(owner);
        return ledger().claim(request()) instanceof Claim.InDoubt;
    }

    private boolean countsReplays() {
        complete();
        answer(Claim.Replay.class, ledger().claim(request()));
        answer(Claim.Replay.class, ledger().claim(request()));
        return ledger().find(KEY).map(Entry::replays).orElseThrow() == 2;
    }

    private boolean growsPast(Runnable removal) {
        Fence before = complete().fence();
        removal.run();
        Ticket next = take();
        ledger().settle(next, Settlements.failed());
        return next.fence().compareTo(before) > 0;
    }

    private Ticket complete() {
        Ticket ticket = take();
        ledger().settle(ticket, Settlements.completed("1"));
        return ticket;
    }

    private void forget() {
        assertThat(ledger().forget(entry())).isTrue();
    }

    private void purge() {
        pass(Settlements.DAY.keep());
        ledger().as(Browsable.class).ifPresent(browsable -> browsable.purge(100));
    }

    private void forgetAndReopen() {
        forget();
        reopen();
    }

    private void forgetAndGoBack() {
        forget();
        pass(Duration.ofDays(30));
        ledger().as(Browsable.class).ifPresent(browsable -> browsable.purge(100));
        clocks().stepWall(Duration.ofDays(-365));
    }
}
