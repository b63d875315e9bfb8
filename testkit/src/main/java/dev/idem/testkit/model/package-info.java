/** The model of a ledger and the random schedules that compare a ledger with it. */
@NullMarked
package dev.idem.testkit.model;

import org.jspecify.annotations.NullMarked;
