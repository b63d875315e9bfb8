package dev.idem.server.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.idem.State;
import dev.idem.server.Access;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that is killed −9 at each point while it tells somebody, and two others that start after it. */
@Timeout(180)
class NoticeKillIT extends NoticeCase {
    static Stream<Arguments> points() {
        return Thorough.first(
                2,
                arguments("webhook", "message settle", 12, 2),
                arguments("slack", "batch claimed", 12, 1),
                arguments("webhook", "batch claimed", 1, 1),
                arguments("webhook", "batch settle", 1, 1),
                arguments("webhook", "message claimed", 1, 1),
                arguments("webhook", "message settle", 1, 2),
                arguments("webhook", "batch claimed", 12, 1),
                arguments("webhook", "batch settle", 12, 1),
                arguments("webhook", "message claimed", 12, 1),
                arguments("slack", "batch settle", 1, 1),
                arguments("slack", "message claimed", 1, 0),
                arguments("slack", "message claimed", 12, 0),
                arguments("slack", "message settle", 12, 1));
    }

    @ParameterizedTest
    @MethodSource("points")
    void eachIsToldOnceOrRepeatedWithTheSameId(String kind, String point, int doubts, int arrivals) throws Exception {
        doubts(doubts, "old");
        kill(kind, point);
        Channel channel = kind.equals("slack") ? receiver.slack() : receiver.webhook();
        tell(channel);
        tell(channel);
        Until.isTrue("the message has ended", this::hasEnded);
        doubt("last");
        Until.isTrue(
                "told", () -> receiver.got.stream().anyMatch(got -> got.text().contains("key last")));
        assertThat(receiver.got).hasSize(arrivals + 1);
        assertThat(receiver.got.subList(0, arrivals).stream()
                        .map(Receiver.Got::id)
                        .distinct()
                        .count())
                .isLessThanOrEqualTo(1);
        assertThat(receiver.got.subList(0, arrivals).stream()
                        .map(Receiver.Got::text)
                        .distinct()
                        .count())
                .isLessThanOrEqualTo(1);
        Until.isTrue("nothing of the notices is in doubt", () -> count(State.IN_DOUBT) == 0);
    }

    private boolean hasEnded() {
        return count(State.COMPLETE) == 1;
    }

    private long count(State state) {
        return ledger.as(Browsable.class)
                .orElseThrow()
                .browse(Query.all().withOperation(Access.NOTICE).withStates(state))
                .entries()
                .size();
    }

    private void kill(String kind, String point) throws IOException {
        try (ChildProcess child = ChildProcess.start(NoticeMain.class, url(), receiver.url(), kind, point)) {
            assertThat(child.line()).isEqualTo("at " + point);
            child.kill();
        }
    }
}
