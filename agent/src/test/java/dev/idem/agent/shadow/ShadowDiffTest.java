package dev.idem.agent.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.SideEffect;
import dev.idem.spi.Effect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShadowDiffTest {
    @TempDir
    private Path folder;

    @Test
    void twoRunsThatWouldDoTheSameDoNotDiffer() {
        List<AuditLine> one = List.of(line("s1", "charge", "cents", 1), line("s1", "mail", "to", "ann"));
        List<AuditLine> other = List.of(line("s2", "charge", "cents", 1.0), line("s2", "mail", "to", "ann"));

        assertThat(ShadowDiff.between(one, other).isEmpty()).isTrue();
    }

    @Test
    void whatWentAwayWhatCameAndWhatChangedIsToldInOrder() {
        List<AuditLine> one = List.of(
                line("s1", "lookup", "id", 1),
                line("s1", "charge", "cents", 4200),
                line("s1", "mail", "to", "ann"),
                line("s1", "log", "x", 1));
        List<AuditLine> other = List.of(
                line("s2", "charge", "cents", 4300),
                line("s2", "mail", "to", "ann"),
                line("s2", "log", "x", 1),
                line("s2", "log", "x", 2));

        ShadowDiff diff = ShadowDiff.between(one, other);

        assertThat(diff.toString()).isEqualTo("""
                        - lookup {"id":1} would_create
                        ~ charge: cents 4200 → 4300
                          mail {"to":"ann"} would_create
                          log {"x":1} would_create
                        + log {"x":2} would_create""");
        assertThat(diff.changes())
                .extracting(ShadowDiff.Change::kind)
                .containsExactly(ShadowDiff.Kind.REMOVED, ShadowDiff.Kind.CHANGED, ShadowDiff.Kind.ADDED);
    }

    @Test
    void aFileKeepsTheLinesForItsOwner() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        AuditLog log = AuditLog.file(file);
        List<AuditLine> lines = List.of(line("s1", "charge", "cents", 4200L), line("s1", "mail", "to", "ann"));

        lines.forEach(log::add);

        assertThat(AuditLog.read(file)).isEqualTo(lines);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void theEnvironmentChoosesAndAnUnknownWordIsAnError() {
        assertThat(Mode.of(Map.of())).isEqualTo(Mode.LIVE);
        assertThat(Mode.of(Map.of("IDEM_MODE", "Shadow"))).isEqualTo(Mode.SHADOW);
        assertThatThrownBy(() -> Mode.of(Map.of("IDEM_MODE", "shaddow"))).hasMessageContaining("'shaddow'");
    }

    private static AuditLine line(String session, String tool, String field, Object value) {
        return new AuditLine(
                Instant.parse("2026-03-01T12:00:00Z"),
                session,
                tool,
                SideEffect.WRITE,
                Map.of(field, value),
                "idem_" + session,
                Effect.WOULD_CREATE);
    }
}
