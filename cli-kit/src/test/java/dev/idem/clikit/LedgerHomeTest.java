package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerHomeTest {
    private final Shop shop = new Shop();

    @TempDir
    Path folder;

    LedgerHomeTest() {
        shop.settings = builder -> builder.ledger((Ledger) null);
    }

    @Test
    void entriesLiveInTheUsersFolderForStateUnlessTold() {
        shop.env.put("XDG_STATE_HOME", folder.toString());

        assertThat(create().effect()).isEqualTo("created");
        assertThat(create().effect()).isEqualTo("noop");
        assertThat(folder.resolve("shop/idem.db")).exists();
    }

    @Test
    void theEnvironmentMayNameAnother() {
        shop.env.put("IDEM_LEDGER", "sqlite:" + folder.resolve("own.db"));

        assertThat(create().effect()).isEqualTo("created");
        assertThat(folder.resolve("own.db")).exists();
    }

    @Test
    void withoutAHomeNothingRunsAndTheMessageSaysWhatToSet() {
        Ran homeless = create();

        assertThat(homeless.exit()).isEqualTo(2);
        assertThat((String) homeless.error().get("message")).contains("IDEM_LEDGER");
        assertThat(shop.world).isEmpty();
    }

    @Test
    void aHomeThatCantBeWrittenIsUnavailable() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "not a folder");
        shop.env.put("HOME", file.toString());
        Ran refused = create();

        assertThat(refused.exit()).isEqualTo(12);
        assertThat(refused.error().get("code")).isEqualTo("LEDGER_UNAVAILABLE");
        assertThat(shop.world).isEmpty();
    }

    private Ran create() {
        return shop.run("create-order", "--amount", "100", "--idempotency-key", "k1");
    }
}
