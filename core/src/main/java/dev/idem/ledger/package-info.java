/** The seam between Idem and the places where entries live: what ledger authors implement. */
@NullMarked
package dev.idem.ledger;

import org.jspecify.annotations.NullMarked;
