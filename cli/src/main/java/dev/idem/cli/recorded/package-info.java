/** What is kept of a command that was run. */
@NullMarked
package dev.idem.cli.recorded;

import org.jspecify.annotations.NullMarked;
