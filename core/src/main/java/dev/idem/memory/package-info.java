/** The ledger that lives and dies with its process. */
@NullMarked
package dev.idem.memory;

import org.jspecify.annotations.NullMarked;
