package dev.idem.redis;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks something that is nearly always the same as the last time, such as the owner: to compare its bytes takes less
 * time than to make texts of them. What is unpacked must not be changed.
 */
final class LastRead<T> {
    private final Function<FieldReader, T> unpacking;
    private volatile @Nullable Known<T> last;

    LastRead(Function<FieldReader, T> unpacking) {
        this.unpacking = unpacking;
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by hand
    private record Known<T>(byte[] bytes, T value) {}

    /** What stands in the bytes from one place to another. */
    T of(byte[] bytes, int from, int end) {
        FieldReader reader = new FieldReader(bytes, from, end);
        Known<T> known = last;
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, bytes, from, end)) {
            return known.value;
        }
        T value = unpacking.apply(reader);
        last = new Known<>(Arrays.copyOfRange(bytes, from, end), value);
        return value;
    }
}
