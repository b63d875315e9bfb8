package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.idem.Repeat;
import dev.idem.spi.Fence;
import dev.idem.spi.Mark;
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The trail lists the events of an entry in order, without secrets. */
abstract class HistoryContract extends LedgerCase {
    private List<TrailLine> trail() {
        return capability(Historied.class).trail(KEY);
    }

    private void aLongStory() {
        Ticket first = granted(request().withStaged(true)).ticket();
        pass(Duration.ofSeconds(1));
        ledger().mark(first, Mark.of("charging"));
        ledger().settle(first, Settlements.doubtful());
        passLimit();
        ledger().settle(takeOverToProbe(), Settlements.doubtful());
        Ticket again = granted(request().withTakeOver(TakeOver.RERUN)).ticket();
        pass(Duration.ofSeconds(1));
        ledger().settle(again, Settlements.completed("\"secret\""));
        ledger().forget(entry());
        ledger().settle(take(), Settlements.failed());
        Ticket last = take();
        pass(Duration.ofSeconds(1));
        ledger().settle(last, Settlements.doubtful());
        ledger().resolve(KEY, last.fence(), Settlements.completed("\"secret\""));
    }

    @Test
    void theTrailOfNothingIsEmpty() {
        assertThat(trail()).isEmpty();
    }

    @Test
    void tellsTheStoryInOrder() {
        trail();
        aLongStory();
        assertThat(trail())
                .extracting(TrailLine::event)
                .containsExactly(
                        "granted",
                        "marked",
                        "in_doubt",
                        "probing",
                        "in_doubt",
                        "rerun",
                        "complete",
                        "forgotten",
                        "granted",
                        "failed",
                        "granted",
                        "in_doubt",
                        "resolved");
    }

    @Test
    void fencesAndTimesGoForward() {
        trail();
        aLongStory();
        List<TrailLine> trail = trail();
        assertThat(trail.stream().map(TrailLine::fence).toList()).isSortedAccordingTo(Fence::compareTo);
        assertThat(trail.stream().map(TrailLine::at).toList()).isSortedAccordingTo(Instant::compareTo);
        assertThat(trail.get(trail.size() - 1).fence()).isEqualTo(entry().fence());
        assertThat(trail.get(trail.size() - 1).at()).isEqualTo(clocks().now().wall());
    }

    @Test
    void tellsNoSecrets() {
        trail();
        aLongStory();
        assertThat(trail())
                .allSatisfy(line -> assertThat(line.detail())
                        .doesNotContain("secret")
                        .doesNotContain("Read timed out")
                        .doesNotContain("refused"));
    }

    @Test
    void tellsWhoResolvedAndWhy() {
        trail();
        Ticket first = take();
        ledger().settle(first, Settlements.doubtful());
        ledger().resolve(
                        KEY,
                        first.fence(),
                        new Settlement.NotExecuted(ResolvedBy.of("ann", "not at the bank"), Settlements.DAY));
        Ticket second = take();
        ledger().settle(second, Settlements.doubtful());
        Settlement.Completed plain = Settlements.completed("1");
        ledger().resolve(
                        KEY,
                        second.fence(),
                        new Settlement.Completed(
                                plain.result(), plain.effect(), plain.retention(), ResolvedBy.of("bob", "seen")));
        assertThat(trail())
                .filteredOn(line -> line.event().equals("resolved"))
                .extracting(TrailLine::detail)
                .containsExactly("as failed, resolved by ann: not at the bank", "as complete, resolved by bob: seen");
        ledger().forget(entry());
        assertThat(trail())
                .filteredOn(line -> line.event().equals("resolved"))
                .extracting(TrailLine::detail)
                .containsExactly("as failed, resolved by ann: not at the bank", "as complete, resolved by bob: seen");
        assertThat(trail())
                .extracting(TrailLine::resolution)
                .filteredOn(Objects::nonNull)
                .extracting(ResolvedBy::who, ResolvedBy::why)
                .containsExactly(tuple("ann", "not at the bank"), tuple("bob", "seen"));
    }

    @Test
    void refusalsLeaveNoTrail() {
        trail();
        Ticket ticket = take();
        ledger().claim(request());
        ledger().claim(request(OTHER_IDENTITY));
        ledger().mark(ticket, Mark.of("not staged"));
        ledger().forget(entry());
        ledger().settle(new Ticket(KEY, new Fence(ticket.fence().number() + 7)), Settlements.failed());
        assertThat(trail()).extracting(TrailLine::event).containsExactly("granted");
    }

    @Test
    void aRepeatThatRunsKeepsTheTrail() {
        trail();
        ledger().settle(take(), Settlements.completed("1"));
        ledger().settle(granted(request().withRepeat(Repeat.RUN)).ticket(), Settlements.completed("2"));
        assertThat(trail()).extracting(TrailLine::event).containsExactly("granted", "complete", "granted", "complete");
    }

    @Test
    void trailsAreApart() {
        trail();
        take();
        take(KEY.withOperation("refund"));
        assertThat(trail()).hasSize(1);
    }
}
