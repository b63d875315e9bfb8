package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.LedgerUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresqlUrlTest {
    private static PostgresqlUrl parse(String url) {
        return PostgresqlUrl.parse(LedgerUrl.parse(url));
    }

    @Test
    void whatIsLeftOutHasItsDefault() {
        PostgresqlUrl url = parse("postgresql://db.example/shop");
        assertThat(url.where()).isEqualTo("postgresql://db.example:5432/shop");
        assertThat(url.pool()).isEqualTo(8);
        assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(url.settings()).isEqualTo(PostgresqlSettings.defaults());
    }

    @Test
    void everythingCanBeSaid() {
        PostgresqlUrl url =
                parse("postgresql://me:p%40ss%2F%3A+1@[::1]:6432/my%20shop?schema=guard&pool=3&timeout=250ms"
                        + "&lock=1s&notify=false&migrate=off&prepareThreshold=0&sslmode=require");
        assertThat(url.server().getUser()).isEqualTo("me");
        assertThat(url.server().getPassword()).isEqualTo("p@ss/:+1");
        assertThat(url.server().getServerNames()).containsExactly("::1");
        assertThat(url.server().getPortNumbers()).containsExactly(6432);
        assertThat(url.server().getDatabaseName()).isEqualTo("my shop");
        assertThat(url.server().getPrepareThreshold()).isZero();
        assertThat(url.server().getSslMode()).isEqualTo("require");
        assertThat(url.settings()).isEqualTo(new PostgresqlSettings("guard", false, false, Duration.ofSeconds(1)));
        assertThat(url.toString()).doesNotContain("p@ss", "p%40ss");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql:shop",
                "postgresql://db.example",
                "postgresql://db.example/",
                "postgresql://me:p@ss@word@db.example/shop",
                "postgresql://db.example/shop?schema=My%20Schema",
                "postgresql://db.example/shop?schema=pg_mine",
                "postgresql://db.example/shop?pool=0",
                "postgresql://db.example/shop?notify=maybe",
                "postgresql://db.example/shop?timeout=5",
                "postgresql://db.example/shop?trail=off"
            })
    void whatCanTBeMeantIsRefused(String url) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("p@ss");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://me:s3/cret@db.example/shop",
                "postgresql://me:12/s3cret@db.example/shop",
                "postgresql://me:50%s3cret@db.example/shop",
                "postgresql://me:a?s3cret@db.example/shop",
                "postgresql://me:s3cret@@db.example/shop"
            })
    void aMalformedUrlIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContainingAny("s3", "cret")
                .hasNoCause();
    }
}
