package dev.idem.spi;

/** Tells the time on both clocks of a {@link Moment}. Injected everywhere, so that tests can move it. */
@FunctionalInterface
public interface Clocks {
    Moment now();
}
