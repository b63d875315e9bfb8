/** Shared code of ledgers in SQL databases. */
@NullMarked
package dev.idem.sql;

import org.jspecify.annotations.NullMarked;
