/** {@code idem vet} and {@code idem score}: check other tools and programs. */
@NullMarked
package dev.idem.cli.check;

import org.jspecify.annotations.NullMarked;
