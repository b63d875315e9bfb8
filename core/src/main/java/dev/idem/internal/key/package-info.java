/** Idempotency keys: given, derived, or made by the formulas of other programs; and the fingerprints that guard them. */
@NullMarked
package dev.idem.internal.key;

import org.jspecify.annotations.NullMarked;
