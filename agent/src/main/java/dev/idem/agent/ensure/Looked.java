package dev.idem.agent.ensure;

import dev.idem.internal.codec.Unfinished;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Refuses what a look gives by mistake in place of the thing, by the rule that all languages have. */
final class Looked {
    private Looked() {}

    @SuppressWarnings("NullableOptional") // a caller without null checks may return null
    static <T> Optional<T> require(@Nullable Optional<T> found) {
        String mistake = found == null ? "null" : found.map(Looked::mistake).orElse(null);
        if (found == null || mistake != null) {
            throw new IllegalArgumentException("unless gave " + mistake + ", which does not say whether the thing is "
                    + "there. Give an Optional with the thing, or Optional.empty(). Nothing was created");
        }
        return found;
    }

    private static @Nullable String mistake(Object thing) {
        if (thing instanceof Boolean || (thing instanceof Number number && isNothing(number.doubleValue()))) {
            return "an Optional with " + thing;
        }
        return isEmpty(thing) ? "an Optional with something empty" : Unfinished.named(thing);
    }

    private static boolean isNothing(double number) {
        return number == 0 || Double.isNaN(number);
    }

    private static boolean isEmpty(Object thing) {
        return (thing instanceof CharSequence text && text.length() == 0)
                || (thing instanceof Collection<?> collection && collection.isEmpty())
                || (thing instanceof Map<?, ?> map && map.isEmpty())
                || (thing instanceof Optional<?> optional && optional.isEmpty())
                || (thing.getClass().isArray() && Array.getLength(thing) == 0);
    }
}
