/** Grades how safely any program's mutating command can be retried, by running it. */
@NullMarked
package dev.idem.command.score;

import org.jspecify.annotations.NullMarked;
