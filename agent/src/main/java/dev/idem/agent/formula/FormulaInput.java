package dev.idem.agent.formula;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The input of a {@link Formula}. Its accessors throw errors that name the expected input. */
record FormulaInput(String name, @Nullable Object value) {

    String text() {
        return require(String.class, "a string");
    }

    Map<?, ?> map() {
        return require(Map.class, "a map");
    }

    FormulaInput member(String member) {
        if (!map().containsKey(member)) {
            throw new IllegalArgumentException(name + " lacks \"" + member + "\"");
        }
        return new FormulaInput(member, map().get(member));
    }

    /** The map, if it has exactly these members. */
    FormulaInput withMembers(String... members) {
        if (!map().keySet().equals(Set.of(members))) {
            throw new IllegalArgumentException(
                    name + " must have the members " + List.of(members) + ", not " + map().keySet());
        }
        return this;
    }

    /** The strings of a list with a zero byte between them. */
    String joined(int least, int most) {
        List<?> parts = require(List.class, "a list of strings");
        if (parts.size() < least || parts.size() > most) {
            throw new IllegalArgumentException(name + " must be a list of " + (most == least ? "" : "at least ") + least
                    + ", not " + parts.size());
        }
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            joined.append(i == 0 ? "" : "\0");
            joined.append(new FormulaInput(name + "[" + i + "]", parts.get(i)).text());
        }
        return joined.toString();
    }

    private <T> T require(Class<T> type, String what) {
        if (!type.isInstance(value)) {
            String found = value == null ? "null" : "a " + value.getClass().getName();
            throw new IllegalArgumentException(name + " must be " + what + ", not " + found);
        }
        return type.cast(value);
    }
}
