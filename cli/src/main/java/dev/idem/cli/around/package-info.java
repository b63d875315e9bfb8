/** The environment of a call: variables, streams, signals, the terminal. */
@NullMarked
package dev.idem.cli.around;

import org.jspecify.annotations.NullMarked;
