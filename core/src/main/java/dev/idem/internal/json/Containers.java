package dev.idem.internal.json;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The maps and collections that {@link JsonBinder} fills; the caller owns the result and may change it. */
final class Containers {
    private static final Set<Class<?>> SORTED_MAPS = Set.of(SortedMap.class, NavigableMap.class, TreeMap.class);
    private static final Set<Class<?>> SORTED_SETS = Set.of(SortedSet.class, NavigableSet.class, TreeSet.class);
    private static final Set<Class<?>> OTHER_MAPS = Set.of(Map.class, HashMap.class, LinkedHashMap.class);
    private static final Set<Class<?>> OTHER_SETS = Set.of(Set.class, HashSet.class, LinkedHashSet.class);
    private static final Set<Class<?>> LISTS = Set.of(List.class, ArrayList.class, Collection.class, Iterable.class);

    private Containers() {}

    static boolean isMap(Class<?> type) {
        return OTHER_MAPS.contains(type) || SORTED_MAPS.contains(type);
    }

    static boolean isCollection(Class<?> type) {
        return LISTS.contains(type) || OTHER_SETS.contains(type) || SORTED_SETS.contains(type);
    }

    static Map<Object, @Nullable Object> newMap(Class<?> type) {
        return SORTED_MAPS.contains(type) ? new TreeMap<>() : new LinkedHashMap<>();
    }

    static Collection<@Nullable Object> newCollection(Class<?> type) {
        if (LISTS.contains(type)) {
            return new ArrayList<>();
        }
        return SORTED_SETS.contains(type) ? new TreeSet<>() : new LinkedHashSet<>();
    }
}
