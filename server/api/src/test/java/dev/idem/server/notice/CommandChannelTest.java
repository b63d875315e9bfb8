package dev.idem.server.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.server.notice.Sent.Fate;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that are told. */
@Timeout(180)
class CommandChannelTest extends NoticeCase {
    private static final Message MESSAGE = new Message("msg_1", "idem.held", Instant.EPOCH, Map.of("text", "one\ntwo"));

    private Path script(String text) throws IOException {
        Path file = folder.resolve("notify.sh");
        Files.writeString(file, "#!/bin/sh\ncd '" + folder + "'\n" + text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aKeyThatLooksLikeACommandIsOnlyText() throws Exception {
        Path script = script("cat >stdin; echo \"$#\" >arguments; printf '%s' \"$IDEM_NOTICE_KEY\" >key\n"
                + "printf '%s' \"$IDEM_NOTICE_TEXT\" >text; mv stdin all\n");
        String hostile = "$(touch${IFS}x);`touch${IFS}x`'\"\\|&";
        doubt("$(touch x)", "-rf", hostile);
        tell(Channel.command(List.of(script.toString())));
        Until.isTrue("told", () -> Files.exists(folder.resolve("all")));
        assertThat(read("key")).isEqualTo(hostile);
        assertThat(read("arguments")).isEqualTo("0\n");
        assertThat(read("text")).startsWith("-rf is in doubt: ").contains("\nscope $(touch x), key " + hostile);
        assertThat(read("all")).contains("\"type\":\"idem.in_doubt\"");
        assertThat(folder.resolve("x")).doesNotExist();
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private Sent run(String text, Duration limit) throws IOException {
        return new CommandChannel(List.of(script(text).toString()), limit).send(MESSAGE);
    }

    @Test
    void anotherExitThanZeroAndAnEndThatNobodySawMayBeDone() throws Exception {
        Duration long_ = Duration.ofSeconds(60);
        assertThat(run("exit 0", long_)).isEqualTo(new Sent(Fate.ARRIVED, "it ended with exit 0"));
        assertThat(run("exit 3", long_)).isEqualTo(new Sent(Fate.UNKNOWN, "it ended with exit 3"));
        assertThat(run("echo $$ >pid; sleep 600", Duration.ofSeconds(2)))
                .isEqualTo(new Sent(Fate.UNKNOWN, "it did not end within 2 s"));
        long pid = Long.parseLong(read("pid").strip());
        Until.isTrue(
                "it is gone",
                () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aProgramThatCantBeStartedHasDoneNothing() {
        Channel missing = Channel.command(List.of(folder.resolve("missing").toString(), "s3cret"));
        assertThat(missing.send(MESSAGE)).isEqualTo(new Sent(Fate.NOT_SENT, "it can't be started"));
        assertThat(missing).hasToString("the command missing");
    }
}
