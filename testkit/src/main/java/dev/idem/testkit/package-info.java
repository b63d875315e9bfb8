/** The contracts that every ledger passes. */
@NullMarked
package dev.idem.testkit;

import org.jspecify.annotations.NullMarked;
