package dev.idem.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The members of an object in the order of RFC 8785; unmodifiable. */
final class SortedMembers extends AbstractMap<String, @Nullable Object> {
    private final Layout layout;
    private final @Nullable Object[] values;

    /**
     * Takes members that are sorted.
     *
     * @param values in the order of the names that the layout was made of
     */
    SortedMembers(Layout layout, @Nullable Object[] values) {
        this.layout = layout;
        this.values = values;
    }

    Layout layout() {
        return layout;
    }

    @Nullable
    Object value(int place) {
        return values[layout.index(place)];
    }

    @Override
    public int size() {
        return values.length;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return name instanceof String text && layout.find(text) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        int place = name instanceof String text ? layout.find(text) : -1;
        return place < 0 ? null : value(place);
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
        for (int i = 0; i < values.length; i++) {
            action.accept(layout.name(i), value(i));
        }
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return values.length;
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
            return next < values.length;
        }

        @Override
        public Map.Entry<String, @Nullable Object> next() {
            if (next == values.length) {
                throw new java.util.NoSuchElementException("no more members");
            }
            int place = next++;
            return new SimpleImmutableEntry<>(layout.name(place), value(place));
        }
    }
}
