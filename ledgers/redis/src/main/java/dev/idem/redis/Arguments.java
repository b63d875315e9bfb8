package dev.idem.redis;

import java.util.Arrays;

/** Puts the arguments of a script together. */
final class Arguments {
    private Arguments() {}

    static byte[][] join(byte[][] first, byte[][] then) {
        if (then.length == 0) {
            return first;
        }
        byte[][] all = Arrays.copyOf(first, first.length + then.length);
        System.arraycopy(then, 0, all, first.length, then.length);
        return all;
    }
}
