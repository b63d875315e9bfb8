/**
 * The types that callers import. {@link dev.idem.Idem} is the entry point. {@link dev.idem.Policy} holds the options of
 * a call, {@link dev.idem.Outcome} its end. {@link dev.idem.IdemException} is the root of all exceptions.
 */
@NullMarked
package dev.idem;

import org.jspecify.annotations.NullMarked;
