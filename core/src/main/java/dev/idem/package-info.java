/**
 * What callers import. {@link dev.idem.Idem} is the one entry point; {@link dev.idem.Policy} says how calls are treated,
 * {@link dev.idem.Outcome} how they ended, and {@link dev.idem.IdemException} is the root of all exceptions.
 */
@NullMarked
package dev.idem;

import org.jspecify.annotations.NullMarked;
