/** Sealing: stored results and errors that only the holders of a key can read. */
@NullMarked
package dev.idem.seal;

import org.jspecify.annotations.NullMarked;
