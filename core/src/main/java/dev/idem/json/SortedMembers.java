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

    private final String[] names;
    private final @Nullable Object[] values;

    /**
     * Sorts the members. Equal names are left beside each other, for {@link #duplicate} to tell.
     *
     * @param names of all members, in any order; belongs to this object from now on
     * @param values theirs
     */
    SortedMembers(String[] names, @Nullable Object[] values) {
        this.names = names;
        this.values = values;
        if (names.length <= SORTED_BY_INSERTION) {
            insertEach();
        } else {
            sortAll();
        }
    }

    /** String order is the order of UTF-16 code units, which is what RFC 8785 asks for. */
    private void insertEach() {
        for (int i = 1; i < names.length; i++) {
            String name = names[i];
            Object value = values[i];
            int to = i;
            while (to > 0 && names[to - 1].compareTo(name) > 0) {
                names[to] = names[to - 1];
                values[to] = values[to - 1];
                to--;
            }
            names[to] = name;
            values[to] = value;
        }
    }

    private void sortAll() {
        Integer[] order = new Integer[names.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (one, other) -> names[one].compareTo(names[other]));
        String[] unsortedNames = names.clone();
        @Nullable Object[] unsortedValues = values.clone();
        for (int i = 0; i < order.length; i++) {
            names[i] = unsortedNames[order[i]];
            values[i] = unsortedValues[order[i]];
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
