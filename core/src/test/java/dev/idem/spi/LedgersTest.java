package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LedgersTest {
    @Test
    void aUrlHasASchemeARestAndOptions() {
        LedgerUrl url = LedgerUrl.parse("sqlite:/var/lib/a%20b.db?trail=off&busy=10s");

        assertThat(url.scheme()).isEqualTo("sqlite");
        assertThat(url.rest()).isEqualTo("/var/lib/a%20b.db");
        assertThat(url.options()).containsExactly(Map.entry("trail", "off"), Map.entry("busy", "10s"));
    }

    @Test
    void aFileWithAQuestionMarkIsRefusedWithTheReason() {
        assertThatThrownBy(() -> LedgerUrl.parse("jsonl:a?b.jsonl"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no file of a ledger may have one in its name")
                .hasMessageNotContaining("password");
    }

    @Test
    void aUrlNeverShowsItsPassword() {
        assertThat(LedgerUrl.parse("postgresql://ann:secret@host/db?password=x").toString())
                .isEqualTo("postgresql://***@host/db");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://idem:s3cret@host/db",
                "postgresql://idem:s3/cr@et@host/db",
                "postgresql://idem:a?s3cret@host/db",
                "postgresql://idem:a?s3cret=x@host/db",
                "postgresql://host/db?user=ann@corp&password=s3cret",
                "postgresql://idem:12/s3cret@host/db?user=a@b&password=s3cret",
                "postgresql:idem:s3cret@host/db",
                "POSTGRESQL://idem:s3cret@host/db",
                "redis://:s3cret@host",
                "rediss://ann:s3cret@a:7000,b:7000/0?prefix=x",
                "redis://:s3cret",
                "redis://ann:s3cret",
                "sqlite://ann:s3cret@host/db",
                "idem:s3cret@host",
                "://idem:s3cret@host",
                "s3cret@host",
            })
    void aUrlInAMessageHoldsNoPasswordHoweverMalformedItIs(String url) {
        assertThat(LedgerUrl.masked(url)).doesNotContain("s3", "cr", "cret");
        assertThat(LedgerUrl.withoutPassword(url)).doesNotContain("s3", "cret");
        Throwable thrown = catchThrowable(() -> Ledgers.open(url));
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
        assertThat(thrown.getMessage()).doesNotContain("s3", "cret");
    }

    @Test
    void aPercentSignInAPasswordIsNotShownWithWhatFollows() {
        assertThatThrownBy(() -> LedgerUrl.unescaped("50%s3cret"))
                .hasMessageContaining("%25")
                .hasMessageNotContaining("s3")
                .hasNoCause();
    }

    /** Both would be the same ledger. */
    @ParameterizedTest
    @ValueSource(strings = {"redis://h?prefix=M%FCller", "redis://h?prefix=M%F6ller"})
    void escapesThatAreNotUtf8AreRefused(String url) {
        assertThatThrownBy(() -> LedgerUrl.parse(url)).hasMessageContaining("UTF-8");
        assertThat(LedgerUrl.unescaped("M%C3%BCller+ü")).isEqualTo("Müller+ü");
    }

    @ParameterizedTest
    @CsvSource({
        "sqlite:/home/ann@corp/a=b&c.db?busy=60s, sqlite:/home/ann@corp/a=b&c.db",
        "redis://localhost:6379/0, redis://localhost:6379/0",
        "'redis://a:7000,b:7000', 'redis://a:7000,b:7000'",
        "postgresql://[::1]:5432/db, postgresql://[::1]:5432/db",
        "postgresql:///db, postgresql:///db",
        "postgresql://ann@host/db, postgresql://***@host/db",
        "idem.db, idem.db",
    })
    void whatIsNoSecretStaysReadable(String url, String shown) {
        assertThat(LedgerUrl.masked(url)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://idem:s3cret@host/db?schema=a&password=x&pool=2, postgresql://idem@host/db?schema=a&pool=2",
        "redis://:s3cret@host/0, redis://host/0",
        "postgresql://ann@host/db, postgresql://ann@host/db",
        "sqlite:/a@b.db?busy=60s, sqlite:/a@b.db?busy=60s",
        "https://host/x?token=env:T&timeout=9s, https://host/x?token=env:T&timeout=9s",
        "https://host/x?token=file:/a/b, https://host/x?token=file:/a/b",
        "https://host/x?token=s3cret&timeout=9s, https://host/x?timeout=9s",
        "https://host/x?my_token=env:T, https://host/x",
    })
    void aSuggestedUrlIsTheSameWithoutItsPassword(String url, String suggested) {
        assertThat(LedgerUrl.withoutPassword(url)).isEqualTo(suggested);
    }

    @Test
    void whatIsNoUrlIsRefusedWithAnExample() {
        assertThatThrownBy(() -> Ledgers.open("idem.db"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sqlite:idem.db");
        assertThatThrownBy(() -> Ledgers.open("memory:?x")).hasMessageContaining("write name=value");
    }

    @Test
    void aLedgerThatIsNotOnTheClassPathNamesTheArtifactToAdd() {
        assertThatThrownBy(() -> Ledgers.open("redis://localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dev.idem:idem-ledger-redis")
                .hasMessageContaining("memory:");
        assertThatThrownBy(() -> Ledgers.open("http+unix:/run/s.sock"))
                .hasMessageContaining("dev.idem:idem-ledger-http");
    }

    @Test
    void memoryIsAlwaysThere() {
        try (Ledger ledger = Ledgers.open("memory:")) {
            assertThat(ledger.describe()).contains("memory");
        }
    }
}
