/**
 * Makes what an agent does happen once. {@link dev.idem.Idem} is the one entry point.
 */
@NullMarked
package dev.idem;

import org.jspecify.annotations.NullMarked;
