package dev.idem.spi;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** Opens ledgers by URL, through the providers on the class path. */
public final class Ledgers {
    private static final Map<String, String> ARTIFACTS = Map.of(
            "sqlite", "idem-ledger-sqlite",
            "jsonl", "idem-ledger-jsonl",
            "postgresql", "idem-ledger-postgresql",
            "redis", "idem-ledger-redis",
            "rediss", "idem-ledger-redis",
            "http", "idem-ledger-http",
            "https", "idem-ledger-http",
            "http+unix", "idem-ledger-http");

    private Ledgers() {}

    /**
     * Opens the ledger a URL names, with the clocks of this host.
     *
     * @throws IllegalArgumentException when the URL is malformed, or no ledger of that scheme is on the class path
     * @throws dev.idem.LedgerException when it can't be opened
     */
    public static Ledger open(String url) {
        return open(url, LedgerContext.ofHost(Host.system()));
    }

    /** Opens the ledger a URL names. */
    public static Ledger open(String url, LedgerContext context) {
        LedgerUrl parsed = LedgerUrl.parse(url);
        var known = new TreeSet<String>();
        for (LedgerProvider provider : ServiceLoader.load(LedgerProvider.class, Ledgers.class.getClassLoader())) {
            if (provider.scheme().equals(parsed.scheme())) {
                return provider.open(parsed, context);
            }
            known.add(provider.scheme() + ":");
        }
        String artifact = ARTIFACTS.get(parsed.scheme());
        throw new IllegalArgumentException("no ledger for '" + parsed.scheme() + ":' is on the class path (there is "
                + String.join(", ", known) + "). "
                + (artifact == null
                        ? "Check the spelling, or add the artifact that serves it"
                        : "Add the artifact dev.idem:" + artifact));
    }
}
