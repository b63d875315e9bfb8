/** The contract of ledgers and its parts, and the promises on a ledger's page. */
@NullMarked
package dev.idem.testkit.contract;

import org.jspecify.annotations.NullMarked;
