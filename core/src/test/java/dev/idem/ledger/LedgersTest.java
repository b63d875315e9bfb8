package dev.idem.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgersTest {
    @Test
    void aUrlHasASchemeARestAndOptions() {
        LedgerUrl url = LedgerUrl.parse("sqlite:/var/lib/a%20b.db?trail=off&busy=10s");

        assertThat(url.scheme()).isEqualTo("sqlite");
        assertThat(url.rest()).isEqualTo("/var/lib/a%20b.db");
        assertThat(url.options()).containsExactly(Map.entry("trail", "off"), Map.entry("busy", "10s"));
    }

    @Test
    void aUrlNeverShowsItsPassword() {
        assertThat(LedgerUrl.parse("postgresql://ann:secret@host/db?password=x").toString())
                .isEqualTo("postgresql://***@host/db");
    }

    @Test
    void whatIsNoUrl_isRefusedWithAnExample() {
        assertThatThrownBy(() -> Ledgers.open("idem.db"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sqlite:idem.db");
        assertThatThrownBy(() -> Ledgers.open("memory:?x")).hasMessageContaining("write name=value");
    }

    @Test
    void aLedgerThatIsNotOnTheClassPath_namesTheArtifactToAdd() {
        assertThatThrownBy(() -> Ledgers.open("redis://localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dev.idem:idem-ledger-redis")
                .hasMessageContaining("memory:");
    }

    @Test
    void memoryIsAlwaysThere() {
        try (Ledger ledger = Ledgers.open("memory:")) {
            assertThat(ledger.describe()).contains("memory");
        }
    }
}
