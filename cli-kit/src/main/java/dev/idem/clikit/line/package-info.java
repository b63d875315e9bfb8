/** One line: its options, its arguments and its key. */
@NullMarked
package dev.idem.clikit.line;

import org.jspecify.annotations.NullMarked;
