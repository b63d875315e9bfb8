/** Measurements, each beside its raw floor. */
@NullMarked
package dev.idem.benchmarks;

import org.jspecify.annotations.NullMarked;
