/** Keys and fingerprints, given and derived. */
@NullMarked
package dev.idem.key;

import org.jspecify.annotations.NullMarked;
