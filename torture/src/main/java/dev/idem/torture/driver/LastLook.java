package dev.idem.torture.driver;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Payload;
import dev.idem.spi.Result;
import dev.idem.torture.check.Kept;
import dev.idem.torture.check.Token;
import dev.idem.torture.subject.Sealing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Reads the final state of a ledger. */
final class LastLook {
    private LastLook() {}

    /** The entries of the keys, after the leases of dead workers have expired, or the time is over. */
    static Map<String, Kept> at(String url, long seed, Collection<String> keys, Duration patience)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Map<String, Kept> all = new TreeMap<>();
        try (Ledger ledger = Sealing.sealed(open(url, end), seed, 0)) {
            Map<String, List<String>> rows = Rows.in(ledger);
            for (String key : keys) {
                Kept kept = find(ledger, key);
                while (kept.state() == Kept.State.IN_PROGRESS && System.nanoTime() - end < 0) {
                    Thread.sleep(50);
                    kept = find(ledger, key);
                }
                all.put(key, kept.withRows(rows.getOrDefault(key, List.of())));
            }
        }
        return all;
    }

    /** Retries, because a killed server may still be restarting. */
    private static Ledger open(String url, long end) throws InterruptedException {
        while (true) {
            try {
                return Ledgers.open(url);
            } catch (LedgerUnavailableException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private static Kept find(Ledger ledger, String key) {
        String[] part = key.split("/", -1);
        Optional<Entry> found = ledger.find(new Address(part[0], part[1], part[2]));
        return found.map(entry -> new Kept(
                        key,
                        Kept.State.valueOf(entry.state().name()),
                        entry.fence().number(),
                        entry.result() instanceof Result.Stored stored ? Token.nameIn(text(stored.payload())) : ""))
                .orElseGet(() -> new Kept(key, Kept.State.ABSENT, 0, ""));
    }

    private static String text(Payload payload) {
        if (!payload.encoding().equals(Payload.GZIP)) {
            return new String(payload.bytes(), StandardCharsets.UTF_8);
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(payload.bytes()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
