/** Gives the commands of a picocli program idempotency keys, dry runs, effects and one envelope. */
@NullMarked
package dev.idem.clikit;

import org.jspecify.annotations.NullMarked;
