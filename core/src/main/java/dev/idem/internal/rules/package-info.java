/** The rules of an entry: what a claim, a settle or a lapse makes of it. No store and no clock of its own. Not exported. */
@NullMarked
package dev.idem.internal.rules;

import org.jspecify.annotations.NullMarked;
