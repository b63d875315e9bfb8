/** {@code idem vet} and {@code idem score}: what is judged is something else. */
@NullMarked
package dev.idem.cli.check;

import org.jspecify.annotations.NullMarked;
