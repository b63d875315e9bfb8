/** Strict JSON and its canonical form. */
@NullMarked
package dev.idem.json;

import org.jspecify.annotations.NullMarked;
