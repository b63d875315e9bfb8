/** What Idem throws. One root, split by the only question a caller has: may I try again? */
@NullMarked
package dev.idem.error;

import org.jspecify.annotations.NullMarked;
