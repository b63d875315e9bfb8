/** Approvals: a person's word for one call with exactly these arguments, kept in the ledger. */
@NullMarked
package dev.idem.agent.approval;

import org.jspecify.annotations.NullMarked;
