/** The ledger in a SQLite file. */
@NullMarked
package dev.idem.sqlite;

import org.jspecify.annotations.NullMarked;
