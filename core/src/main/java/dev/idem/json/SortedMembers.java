package dev.idem.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The members of an object in the order of RFC 8785; unmodifiable. Two arrays, since keys are derived from them. */
final class SortedMembers extends AbstractMap<String, @Nullable Object> {
    private static final int SORTED_BY_INSERTION = 24;
    private static final int INDEX_BITS = 8;
    private static final int INDEX = (1 << INDEX_BITS) - 1;
    private static final int COMPARED_AT_ONCE = 3;

    private final String[] names;
    private final @Nullable Object[] values;

    /**
     * Sorts the members. Equal names are left beside each other, for {@link #duplicate} to tell.
     *
     * @param unsorted the names of all members, in any order
     * @param theirs the values, in the same order
     */
    SortedMembers(String[] unsorted, @Nullable Object[] theirs) {
        this.names = new String[unsorted.length];
        this.values = new Object[unsorted.length];
        if (unsorted.length <= SORTED_BY_INSERTION) {
            insertEach(unsorted, theirs);
        } else {
            sortAll(unsorted, theirs);
        }
    }

    /** Sorts numbers, each the start of a name and its index: to move references about would take several times as long. */
    private void insertEach(String[] unsorted, @Nullable Object[] theirs) {
        long[] order = new long[unsorted.length];
        for (int i = 0; i < order.length; i++) {
            long next = start(unsorted[i]) << INDEX_BITS | i;
            int to = i;
            while (to > 0 && isAfter(order[to - 1], next, unsorted)) {
                order[to] = order[to - 1];
                to--;
            }
            order[to] = next;
        }
        for (int i = 0; i < order.length; i++) {
            int from = (int) order[i] & INDEX;
            names[i] = unsorted[from];
            values[i] = theirs[from];
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

    private void sortAll(String[] unsorted, @Nullable Object[] theirs) {
        Integer[] order = new Integer[unsorted.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (one, other) -> unsorted[one].compareTo(unsorted[other]));
        for (int i = 0; i < order.length; i++) {
            names[i] = unsorted[order[i]];
            values[i] = theirs[order[i]];
        }
    }

    /** A name that two members have, or null. */
    @Nullable
    String duplicate() {
        for (int i = 1; i < names.length; i++) {
            if (names[i].equals(names[i - 1])) {
                return names[i];
            }
        }
        return null;
    }

    String name(int index) {
        return names[index];
    }

    @Nullable
    Object value(int index) {
        return values[index];
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return name instanceof String text && Arrays.binarySearch(names, text) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        int index = name instanceof String text ? Arrays.binarySearch(names, text) : -1;
        return index < 0 ? null : values[index];
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
        for (int i = 0; i < names.length; i++) {
            action.accept(names[i], values[i]);
        }
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return names.length;
            }

            @Override
            public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, @Nullable Object>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < names.length;
        }

        @Override
        public Map.Entry<String, @Nullable Object> next() {
            if (next == names.length) {
                throw new java.util.NoSuchElementException("no more members");
            }
            int index = next++;
            return new SimpleImmutableEntry<>(names[index], values[index]);
        }
    }
}
