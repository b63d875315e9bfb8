package dev.idem.clikit.call;

import dev.idem.Idem;
import dev.idem.IdemBuilder;
import dev.idem.clikit.line.BadArguments;
import dev.idem.command.LedgerHome;
import dev.idem.spi.Ledger;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The settings of a kit. */
public record KitSettings(
        @Nullable String ledgerUrl,
        @Nullable Ledger ledger,
        @Nullable String givenScope,
        Consumer<IdemBuilder> engine,
        Map<String, String> env,
        OutputStream out,
        OutputStream err,
        boolean terminal,
        Duration grace,
        LongSupplier nanos) {

    String scope(String program) {
        return givenScope == null ? program : givenScope;
    }

    Idem open(String program) {
        // A process that lives for one call purges occasionally, see OccasionalPurge.
        IdemBuilder builder = Idem.builder().quiet().purgeEvery(Duration.ZERO);
        if (ledger != null) {
            builder.ledger(ledger);
        } else {
            builder.ledger(ledgerUrl == null ? url(program) : ledgerUrl);
        }
        engine.accept(builder);
        return builder.open();
    }

    private String url(String program) {
        String given = env.getOrDefault("IDEM_LEDGER", "");
        if (!given.isEmpty()) {
            return given;
        }
        try {
            return LedgerHome.of(program, env, "IDEM_LEDGER=sqlite:/path/idem.db")
                    .make()
                    .url();
        } catch (IllegalArgumentException e) {
            throw new BadArguments(String.valueOf(e.getMessage()));
        }
    }
}
