package dev.idem.gauntlet;

import org.jspecify.annotations.Nullable;

/** The answer to a caller. */
sealed interface Answer {
    /** A value, as the work or the store gave it. */
    record Value(@Nullable String text) implements Answer {
        @Override
        public String toString() {
            return text == null ? "null" : "text \"" + text + "\"";
        }
    }

    /** Neither a value nor an exception: the duplicate was dropped. */
    record Dropped() implements Answer {
        @Override
        public String toString() {
            return "dropped";
        }
    }

    /** An exception. */
    record Refused(Throwable cause) implements Answer {
        @Override
        public String toString() {
            return cause.getClass().getSimpleName();
        }
    }

    default boolean is(@Nullable String text) {
        return equals(new Value(text));
    }

    default boolean isRefused() {
        return this instanceof Refused;
    }
}
