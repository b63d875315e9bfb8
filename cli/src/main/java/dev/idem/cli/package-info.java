/** The command line. */
@NullMarked
package dev.idem.cli;

import org.jspecify.annotations.NullMarked;
