/** Formulas by which other programs make their keys, so that both sides agree on them. */
@NullMarked
package dev.idem.agent.formula;

import org.jspecify.annotations.NullMarked;
