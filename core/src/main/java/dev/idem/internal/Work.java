package dev.idem.internal;

import dev.idem.Call;
import dev.idem.spi.Transactional;
import org.jspecify.annotations.Nullable;

/** The code of a call, in two steps: what throws in the first has had no effect. */
public interface Work<T extends @Nullable Object> {
    /** Whether there is a first step. */
    default boolean prepares() {
        return false;
    }

    /** Up to the point of no return. */
    default void prepare() throws Exception {}

    /** Past it. */
    T act(Call call) throws Exception;

    /** The transaction in which it acts, once it is begun; null when there is none. */
    default Transactional.@Nullable Transaction<?> transaction() {
        return null;
    }
}
