/** The contracts of ledgers that settle in the transactions of an application. */
@NullMarked
package dev.idem.testkit.transaction;

import org.jspecify.annotations.NullMarked;
