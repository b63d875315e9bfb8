/** What a call of the command line finds around it: the environment, the ledger, signals, the terminal. */
@NullMarked
package dev.idem.cli.around;

import org.jspecify.annotations.NullMarked;
