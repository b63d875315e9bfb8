/** Approvals: a person approves one call with exactly these arguments. They are kept in the ledger. */
@NullMarked
package dev.idem.agent.approval;

import org.jspecify.annotations.NullMarked;
