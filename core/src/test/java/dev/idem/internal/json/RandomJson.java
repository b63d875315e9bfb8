package dev.idem.internal.json;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random plain JSON values, rich in what is easy to get wrong. */
public final class RandomJson {
    private static final String[] CHARACTERS = {
        "a", "B", "0", " ", "'", "\"", "\\", "/", "\n", "\t", "\u0000", "\u001f", "\u007f", "\u0080", "é", "€",
        "\u2028", "\ufb33", "\uffff", "😀", "𐀀", "name", "_"
    };

    private RandomJson() {}

    public static Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (long) random.nextInt(2000) - 1000;
            case 3 -> random.nextLong();
            case 4 -> number(random);
            case 5 -> beyondLong(random);
            case 6 -> string(random);
            case 7 -> list(random, depth - 1);
            default -> map(random, depth - 1);
        };
    }

    public static Map<String, Object> map(Random random, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            map.put(string(random), value(random, depth));
        }
        return map;
    }

    private static List<Object> list(Random random, int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            list.add(value(random, depth));
        }
        return list;
    }

    public static String string(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
        }
        return text.toString();
    }

    /** A finite double: any bits, a price, next to a power of two or of ten, or tiny. */
    public static double number(Random random) {
        double value = switch (random.nextInt(6)) {
            case 0 -> random.nextInt(1_000_000) / 100.0;
            case 1 -> Math.scalb(1.0, random.nextInt(2098) - 1074);
            case 2 -> Double.parseDouble((1 + random.nextInt(999)) + "e" + (random.nextInt(640) - 325));
            case 3 -> Double.longBitsToDouble(random.nextLong() >>> (12 + random.nextInt(50)));
            case 4 -> random.nextDouble() * random.nextInt(1 << 30);
            default -> Double.longBitsToDouble(random.nextLong());
        };
        if (random.nextInt(3) == 0) {
            value = random.nextBoolean() ? Math.nextUp(value) : Math.nextDown(value);
        }
        return Double.isFinite(value) ? value : number(random);
    }

    private static BigInteger beyondLong(Random random) {
        BigInteger value = new BigInteger(70 + random.nextInt(100), random).setBit(69);
        return random.nextBoolean() ? value : value.negate();
    }
}
