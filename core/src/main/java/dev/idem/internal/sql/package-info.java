/** Helpers of the ledgers in SQL databases: named statements, migrations, a lent connection. */
@NullMarked
package dev.idem.internal.sql;

import org.jspecify.annotations.NullMarked;
