package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.LedgerUrl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

class RedisUrlTest {
    @Test
    void aUrlNamesTheServerAndSetsTheOptions() {
        RedisOptions options = parse("rediss://ann:p%40ss+1@db.example:7000/2?prefix=shop:&timeout=500ms&connections=8"
                + "&check=warn&wait=1&stub=2d&ca=/etc/ca.pem");
        assertThat(options)
                .isEqualTo(new RedisOptions(
                        true,
                        List.of(new HostAndPort("db.example", 7000)),
                        false,
                        "ann",
                        "p@ss+1",
                        2,
                        "shop:",
                        Duration.ofMillis(500),
                        8,
                        Check.WARN,
                        1,
                        Duration.ofDays(2),
                        Path.of("/etc/ca.pem")));
        assertThat(options.toString()).isEqualTo("rediss://***@db.example:7000/2");
        assertThat(parse("redis://localhost"))
                .isEqualTo(RedisOptions.at(false, List.of(new HostAndPort("localhost", 6379))));
        assertThat(parse("redis://[::1]:7/").hosts()).containsExactly(new HostAndPort("::1", 7));
        assertThat(parse("redis://:secret@h").user()).isNull();
        assertThat(parse("redis://secret@h").password()).isEqualTo("secret");
    }

    @Test
    void severalHostsAreACluster() {
        assertThat(parse("redis://a:1,b:2").cluster()).isTrue();
        assertThat(parse("redis://a:1").cluster()).isFalse();
        assertThat(parse("redis://a:1?cluster=on").cluster()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
                    redis:localhost,                needs a host
                    redis://,                       names no host
                    redis://a:b:c,                  names no host
                    redis://a:0,                    port=0 is not a number from 1 to 65535
                    redis://a/x,                    names no database by its number
                    `redis://a,b/1`,                has only database 0
                    redis://a?cluster=maybe,        neither on nor off
                    redis://a?check=maybe,          neither on nor warn nor off
                    redis://a?timeout=10,           `is no duration; write for instance 500ms`
                    redis://a?timeout=0s,           is not between
                    redis://a?wait=-1,              is not a number from 0 to 100
                    redis://a?prefix=a%20b,         visible ASCII
                    redis://a?speed=11,             has no option 'speed'
                    """)
    void whatIsWrongWithAUrlIsSaid(String url, String message) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:s3/cret@host",
                "redis://u:12/s3cret@host",
                "redis://:50%s3cret@host",
                "rediss://ann:s3:cret",
                "redis://:a?s3cret@host"
            })
    void aMalformedUrlIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContainingAny("s3", "cret")
                .hasNoCause();
    }

    private static RedisOptions parse(String url) {
        return RedisUrl.parse(LedgerUrl.parse(url));
    }
}
