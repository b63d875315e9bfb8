package dev.idem.redis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where scripts have the time from: their server. Tests put one in its place that follows their own.
 *
 * @param prelude the lines in front of every script that set {@code n} and {@code f}
 * @param argument sent as the last argument of every script, in digits; null for none
 */
record ServerClock(String prelude, @Nullable Supplier<byte[]> argument) {
    static ServerClock ofServer() {
        return new ServerClock(Script.read("time.lua"), null);
    }
}
