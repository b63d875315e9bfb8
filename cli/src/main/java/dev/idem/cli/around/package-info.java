/** The environment of a call: variables, the ledger, signals, the terminal. */
@NullMarked
package dev.idem.cli.around;

import org.jspecify.annotations.NullMarked;
