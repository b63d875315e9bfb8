package dev.idem.cli.syntax;

import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The value of {@code --listen}. */
public final class Listening {
    private static final Pattern PLACE = Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]]+):([0-9]{1,5})");
    private static final int LAST_PORT = 65_535;

    private Listening() {}

    /** A host and a port, which are not looked up. */
    public static InetSocketAddress place(String listen) {
        Matcher place = PLACE.matcher(listen);
        if (!place.matches() || Integer.parseInt(place.group(2)) > LAST_PORT) {
            throw new UsageException("--listen: write HOST:PORT, such as 127.0.0.1:8931, and not '" + listen + "'");
        }
        return InetSocketAddress.createUnresolved(
                place.group(1).replaceAll("[\\[\\]]", ""), Integer.parseInt(place.group(2)));
    }
}
