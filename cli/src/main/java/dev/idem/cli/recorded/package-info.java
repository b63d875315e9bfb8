/** The stored results of commands. */
@NullMarked
package dev.idem.cli.recorded;

import org.jspecify.annotations.NullMarked;
