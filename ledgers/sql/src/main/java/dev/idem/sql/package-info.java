/** What ledgers in SQL databases share. */
@NullMarked
package dev.idem.sql;

import org.jspecify.annotations.NullMarked;
