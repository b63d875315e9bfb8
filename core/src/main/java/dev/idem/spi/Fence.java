package dev.idem.spi;

/**
 * A number that grows with every grant for an address, and never goes back: not after a forget, an expiry or a clock
 * that steps back. A remote that remembers the highest fence it has seen can refuse a paused owner.
 */
public record Fence(long number) implements Comparable<Fence> {
    /** Throws {@link IllegalArgumentException} when the number is not positive. */
    public Fence {
        if (number <= 0) {
            throw new IllegalArgumentException("a fence is a positive number, not " + number);
        }
    }

    @Override
    public int compareTo(Fence other) {
        return Long.compare(number, other.number);
    }

    // Written out: a record's own equality is put together at run time, which a short-lived program would notice.
    @Override
    public boolean equals(Object other) {
        return other instanceof Fence that && number == that.number;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }

    @Override
    public String toString() {
        return Long.toString(number);
    }
}
