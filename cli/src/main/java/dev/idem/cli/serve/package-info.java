/** {@code idem serve}. */
@NullMarked
package dev.idem.cli.serve;

import org.jspecify.annotations.NullMarked;
