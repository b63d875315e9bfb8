package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.Host;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    private static final Access ACME = Access.of(List.of("act", "read"), List.of("acme/*", "x"));

    @TempDir
    Path folder;

    private Path path;
    private TokenFile tokens;

    @BeforeEach
    void open() {
        path = folder.resolve("state/tokens.json");
        tokens = new TokenFile(path, Host.system());
    }

    @Test
    void aTokenIsFoundByItsSecret() throws IOException {
        String secret = tokens.add("ci", ACME, null);
        Token found = tokens.find(secret);
        assertThat(found.name()).isEqualTo("ci");
        assertThat(found.access()).isEqualTo(ACME);
        assertThat(found.access().rightWords()).containsExactly("read", "act");
        assertThat(found.access().scopeTexts()).containsExactly("acme/*", "x");
        assertThat(tokens.find(secret + "x")).isNull();
        assertThat(tokens.find(found.digest())).isNull();
        assertThat(tokens.find("")).isNull();
    }

    @Test
    void theSecretIsKeptNowhere() throws IOException {
        String secret = tokens.add("ci", ACME, null);
        for (String name : path.getParent().toFile().list()) {
            Path each = path.resolveSibling(name);
            assertThat(Files.readString(each)).doesNotContain(secret.substring(12));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void anotherServerSeesAChange() throws IOException {
        TokenFile other = new TokenFile(path, Host.system());
        assertThat(other.find("x")).isNull();
        String secret = tokens.add("ci", ACME, null);
        Until.isTrue("it is accepted", () -> found(other, secret));
        Token token = other.find(secret);
        assertThat(other.stands(token)).isTrue();
        tokens.revoke("ci");
        Until.isTrue("it is refused", () -> !found(other, secret));
        assertThat(other.stands(token)).isFalse();
    }

    private static boolean found(TokenFile in, String secret) {
        try {
            return in.find(secret) != null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoeverGetsItsNameLaterIsAnother() throws IOException {
        String secret = tokens.add("ci", ACME, null);
        Token token = tokens.find(secret);
        tokens.revoke("ci");
        tokens.add("ci", ACME, null);
        assertThat(tokens.stands(token)).isFalse();
    }

    @Test
    void itExpires() throws IOException {
        SettableClocks clock = new SettableClocks();
        TokenFile timed = new TokenFile(path, clock);
        String secret = timed.add("ci", ACME, Duration.ofDays(90));
        Token token = timed.find(secret);
        clock.advance(Duration.ofDays(89));
        assertThat(timed.stands(token)).isTrue();
        clock.advance(Duration.ofDays(1));
        assertThat(timed.stands(token)).isFalse();
        assertThat(timed.find(secret)).isNull();
        assertThat(timed.list()).containsExactly(token);
    }

    @Test
    void aNameIsTakenOnce() throws IOException {
        String secret = tokens.add("ci", ACME, null);
        assertThatThrownBy(() -> tokens.add("ci", Access.ALL, null)).isInstanceOf(IllegalStateException.class);
        assertThat(tokens.find(secret).access()).isEqualTo(ACME);
        assertThatThrownBy(() -> tokens.add("a b", ACME, null)).isInstanceOf(IllegalArgumentException.class);
        assertThat(tokens.revoke("other")).isFalse();
    }

    @Test
    void manyWhoAddAtOnceLoseNothing() throws Exception {
        List<FutureTask<String>> adding = new ArrayList<>();
        CyclicBarrier gate = new CyclicBarrier(8);
        for (int i = 0; i < 8; i++) {
            String name = "token-" + i;
            // Each has a view of its own, as other processes have.
            FutureTask<String> one = new FutureTask<>(() -> {
                gate.await();
                return new TokenFile(path, Host.system()).add(name, ACME, null);
            });
            adding.add(one);
            new Thread(one).start();
        }
        for (FutureTask<String> one : adding) {
            assertThat(new TokenFile(path, Host.system()).find(one.get())).isNotNull();
        }
        assertThat(tokens.list()).hasSize(8);
    }

    @Test
    void theFirstOneIsMadeOnce() throws IOException {
        Path kept = path.resolveSibling("token");
        assertThat(tokens.begin("first", kept)).isTrue();
        String secret = Files.readString(kept).strip();
        assertThat(tokens.find(secret).access()).isEqualTo(Access.ALL);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rw-------");
        assertThat(tokens.begin("first", kept)).isFalse();
        tokens.revoke("first");
        assertThat(tokens.begin("first", kept))
                .as("what was revoked does not come back")
                .isFalse();
        assertThat(kept).hasContent(secret);
    }

    @Test
    void aFileThatCantBeTrustedLetsNobodyIn() throws IOException {
        String secret = tokens.add("ci", ACME, null);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThatThrownBy(() -> tokens.find(secret))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod 600");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        for (String bad : List.of("", "{}", "[]", "{\"tokens\":[{\"name\":\"ci\"}]}", "{\"tokens\":[7]}")) {
            Files.writeString(path, bad);
            TokenFile reading = new TokenFile(path, Host.system());
            assertThatThrownBy(() -> reading.find(secret)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> reading.add("more", ACME, null)).isInstanceOf(IOException.class);
            assertThat(path).hasContent(bad);
        }
    }

    /** A file without any permission broke the look for those that others have. */
    @Test
    void aFileThatNobodyMayReadIsAnError() throws IOException {
        String secret = tokens.add("ci", ACME, null);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
        TokenFile other = new TokenFile(path, Host.system());
        // The superuser may read it.
        if (Files.isReadable(path)) {
            assertThat(other.find(secret)).isNotNull();
        } else {
            assertThatThrownBy(() -> other.find(secret)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aServerThatFindsTokensWritesNothing() throws IOException {
        tokens.add("ci", ACME, null);
        Path lock = path.resolveSibling(path.getFileName() + ".lock");
        Files.delete(lock);
        assertThat(tokens.begin("first", path.resolveSibling("token"))).isFalse();
        assertThat(lock).doesNotExist();
        assertThat(path.resolveSibling("token")).doesNotExist();
    }
}
