/** The ledger in a PostgreSQL database. */
@NullMarked
package dev.idem.postgresql;

import org.jspecify.annotations.NullMarked;
