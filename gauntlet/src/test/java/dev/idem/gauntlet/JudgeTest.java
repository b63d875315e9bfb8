package dev.idem.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JudgeTest {
    private static final Pace SHORT =
            new Pace(Duration.ofMillis(300), Duration.ofMillis(300), Duration.ofMillis(20), Duration.ofMillis(20), 1);

    @TempDir
    Path folder;

    private Servers servers;

    @BeforeEach
    void getReady() {
        servers = new Servers(folder);
    }

    @AfterEach
    void stopServers() throws IOException {
        servers.close();
    }

    @Test
    void idemInMemoryIsRightWhereverItIsAsked() throws Exception {
        Map<String, Verdict> wrong = new LinkedHashMap<>();
        Judge judge = new Judge(servers, folder, SHORT);
        for (RightScenario scenario : Judge.scenarios()) {
            Verdict verdict = judge.judge(entry("Idem / memory"), scenario);
            if (verdict.grade() == Verdict.Grade.WRONG) {
                wrong.put(scenario.name(), verdict);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aMapThatIsCheckedBeforeItIsFilledIsFoundWrong() throws Exception {
        Judge judge = new Judge(servers, folder, SHORT);
        Verdict verdict = judge.judge(entry("check-then-act map / memory"), new SixteenAtOnce());
        assertThat(verdict.grade()).isEqualTo(Verdict.Grade.WRONG);
        // On a busy machine some callers come after the first run has ended.
        assertThat(verdict.observed()).matches("([2-9]|1[0-6]) runs, 16 answered");
    }

    @Test
    void thePageShowsWhatWasSeen() throws Exception {
        Report report = new Report("a machine");
        Field.Entry entry = entry("map of futures / memory");
        report.add(entry, "16 duplicates at once", Verdict.of(false, "2 runs <b>"));
        report.add(entry, Speed.of(entry, new Field(servers), folder, SHORT));
        assertThat(report.text()).contains("WRONG  16 duplicates at once", " x)");
        assertThat(new Page(report).html()).contains("2 runs &lt;b&gt;", "<svg").doesNotContain("http");
    }

    private Field.Entry entry(String title) {
        return new Field(servers).titled(title);
    }
}
