/** The seam for ledger authors: claims, tickets, settlements and entries. */
@NullMarked
package dev.idem.ledger;

import org.jspecify.annotations.NullMarked;
