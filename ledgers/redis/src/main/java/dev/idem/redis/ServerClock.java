package dev.idem.redis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source of time for scripts: their server. Tests replace it by a settable clock.
 *
 * @param prelude the lines before every script, which set {@code n} and {@code f}
 * @param argument sent as the last argument of every script, in digits; null for none
 */
record ServerClock(String prelude, @Nullable Supplier<byte[]> argument) {
    static ServerClock ofServer() {
        return new ServerClock(Script.read("time.lua"), null);
    }
}
