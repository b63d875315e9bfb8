package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

    private static Watch.Stream stream(String name, List<String> told) {
        return new Watch.Stream() {
            @Override
            public void send(String text, Watch.Sent sent) {
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
