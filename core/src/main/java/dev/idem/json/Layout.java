package dev.idem.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names of an object's members: which comes when by RFC 8785, and how they are written. Programs make objects of a
 * few layouts again and again, so the last ones are remembered, a fixed number of them.
 */
final class Layout {
    private static final int SLOTS = 64;
    private static final int MOST_NAMES = 24;
    private static final int LONGEST_NAME = 64;
    private static final int INDEX_BITS = 8;
    private static final int INDEX = (1 << INDEX_BITS) - 1;
    private static final int COMPARED_AT_ONCE = 3;

    // Read and written without a lock: whoever misses one makes it again.
    private static final @Nullable Layout[] LAST = new Layout[SLOTS];

    private final String[] given;
    private final int[] order;
    private final byte @Nullable [][] written;

    private Layout(String[] given, int[] order, byte @Nullable [][] written) {
        this.given = given;
        this.order = order;
        this.written = written;
    }

    /**
     * The layout of members with these names, if it is remembered.
     *
     * @param names in any order
     */
    static @Nullable Layout known(String[] names) {
        if (names.length == 0 || names.length > MOST_NAMES) {
            return null;
        }
        int slot = slot(names);
        Layout here = LAST[slot];
        if (here == null || !Arrays.equals(here.given, names)) {
            return null;
        }
        if (here.written == null) {
            here = new Layout(here.given, here.order, here.write());
            LAST[slot] = here;
        }
        return here;
    }

    /**
     * The layout of members with these names, to be remembered unless there is something wrong with one of them: what
     * is known needs no check.
     *
     * @param names in any order; not changed after that
     */
    static Layout of(String[] names) {
        Layout made = new Layout(names, sorted(names), null);
        if (names.length > 0 && names.length <= MOST_NAMES && areShortAndWhole(names) && made.duplicate() == null) {
            LAST[slot(names)] = made;
        }
        return made;
    }

    private static int slot(String[] names) {
        int hash = (names.length * 31 + names[0].hashCode()) * 31 + names[names.length - 1].hashCode();
        return (hash ^ hash >>> 16) & (SLOTS - 1);
    }

    int size() {
        return order.length;
    }

    /** The name at a place. */
    String name(int place) {
        return given[order[place]];
    }

    /** Which of the given names is at a place. */
    int index(int place) {
        return order[place];
    }

    /** What stands before the value at a place, in UTF-8: a brace or a comma, the name, a colon; null if not known. */
    byte @Nullable [] before(int place) {
        return written == null ? null : written[place];
    }

    /** The place of a name, or a negative number. */
    int find(String name) {
        int low = 0;
        int high = order.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = name(middle).compareTo(name);
            if (compared == 0) {
                return middle;
            } else if (compared < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /** A name that two members have, or null. */
    @Nullable
    String duplicate() {
        for (int i = 1; i < order.length; i++) {
            if (name(i).equals(name(i - 1))) {
                return name(i);
            }
        }
        return null;
    }

    private byte[][] write() {
        byte[][] all = new byte[order.length][];
        for (int i = 0; i < all.length; i++) {
            String text = (i == 0 ? "{" : ",") + JsonWriter.quoted(name(i)) + ":";
            all[i] = text.getBytes(StandardCharsets.UTF_8);
        }
        return all;
    }

    private static boolean areShortAndWhole(String[] names) {
        for (String name : names) {
            if (name.length() > LONGEST_NAME || Utf8.loneSurrogate(name) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static int[] sorted(String[] names) {
        int[] order = new int[names.length];
        if (names.length > MOST_NAMES) {
            Integer[] boxed = new Integer[names.length];
            Arrays.setAll(boxed, i -> i);
            Arrays.sort(boxed, (one, other) -> names[one].compareTo(names[other]));
            Arrays.setAll(order, i -> boxed[i]);
        } else {
            insertEach(names, order);
        }
        return order;
    }

    /** Sorts numbers, each the start of a name and its index: to move references about would take several times as long. */
    private static void insertEach(String[] names, int[] order) {
        long[] starts = new long[names.length];
        for (int i = 0; i < starts.length; i++) {
            long next = start(names[i]) << INDEX_BITS | i;
            int to = i;
            while (to > 0 && isAfter(starts[to - 1], next, names)) {
                starts[to] = starts[to - 1];
                to--;
            }
            starts[to] = next;
        }
        for (int i = 0; i < starts.length; i++) {
            order[i] = (int) starts[i] & INDEX;
        }
    }

    private static boolean isAfter(long one, long other, String[] names) {
        return one >> INDEX_BITS == other >> INDEX_BITS
                ? names[(int) one & INDEX].compareTo(names[(int) other & INDEX]) > 0
                : one > other;
    }

    /** The first characters as a number. String order is that of UTF-16 code units, which is what RFC 8785 asks for. */
    private static long start(String name) {
        long start = 0;
        for (int i = 0; i < COMPARED_AT_ONCE; i++) {
            start = start << Character.SIZE | (i < name.length() ? name.charAt(i) : 0);
        }
        return start;
    }
}
