package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.testkit.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WatchTest extends ApiCase {
    /** A response that has failed belongs to the server again; to end it once more broke the end of the server. */
    @Test
    void aReaderWhoIsGoneIsNotToldOfTheEnd() {
        List<String> told = new ArrayList<>();
        Watch watch = new Watch(api);
        watch.listen(CALLER, null, false, () -> stream("gone", told));
        watch.listen(CALLER, null, false, () -> stream("here", told));
        watch.close();
        assertThat(told).containsExactly("here");
    }

    /** It was never told, and the server waited for it in vain. */
    @Test
    void aReaderWhoComesWhileTheServerEndsIsTold() {
        List<String> told = new ArrayList<>();
        Watch watch = new Watch(api);
        watch.listen(CALLER, null, false, () -> {
            watch.close();
            return stream("late", told);
        });
        assertThat(told).containsExactly("late");
    }

    /** It was told busy, with a status that no proxy takes to another server. */
    @Test
    void aReaderWhoComesAfterTheEndIsToldToo() {
        List<String> told = new ArrayList<>();
        Watch watch = new Watch(api);
        watch.close();
        watch.listen(CALLER, null, false, () -> stream("late", told));
        assertThat(told).containsExactly("late");
    }

    /** One token had all places. */
    @Test
    void oneTokenLeavesPlacesToOthers() {
        try (Watch watch = new Watch(api)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 200; i++) {
                            watch.listen(caller("a"), null, false, () -> stream("here", new ArrayList<>()));
                        }
                    })
                    .isInstanceOf(ApiException.class)
                    .hasMessageContaining("streams of events");
            watch.listen(caller("b"), null, false, () -> stream("here", new ArrayList<>()));
        }
    }

    /** Their places stayed taken for more than a minute where a look takes long. */
    @Test
    void whoHasGoneLeavesItsPlace() {
        try (Watch watch = new Watch(api)) {
            for (int i = 0; i < 300; i++) {
                watch.listen(caller("a"), null, false, () -> stream("gone", new ArrayList<>()));
            }
        }
    }

    /** One look that failed in no usual way ended the events of all readers. */
    @Test
    void aLookThatFailsDoesNotEndTheEvents() {
        AtomicBoolean broken = new AtomicBoolean();
        Ledger breaking = new ForwardingLedger(ledger) {
            @Override
            public <C> Optional<C> as(Class<C> capability) {
                if (broken.get()) {
                    throw new IllegalStateException("broken");
                }
                return super.as(capability);
            }

            @Override
            public void close() {}
        };
        List<String> events = new CopyOnWriteArrayList<>();
        try (Api other = new Api(breaking, url(), Host.system(), "1");
                Watch watch = new Watch(other)) {
            watch.listen(CALLER, null, false, () -> stream("here", new ArrayList<>(), events));
            broken.set(true);
            Until.isTrue("the failure is an event", () -> changes(events) == 1);
            broken.set(false);
            Until.isTrue("so is its end", () -> changes(events) == 2);
        }
    }

    private static long changes(List<String> events) {
        return events.stream().filter(each -> each.contains("changed")).count();
    }

    private static Caller caller(String name) {
        return new Caller("token " + name, false, Access.ALL, () -> true, () -> true, false);
    }

    private static Watch.Stream stream(String name, List<String> told) {
        return stream(name, told, new ArrayList<>());
    }

    private static Watch.Stream stream(String name, List<String> told, List<String> events) {
        return new Watch.Stream() {
            @Override
            public void send(String text, Watch.Sent sent) {
                events.add(text);
                if (name.equals("gone")) {
                    sent.failed();
                } else {
                    sent.done();
                }
            }

            @Override
            public void end() {
                told.add(name);
            }
        };
    }
}
