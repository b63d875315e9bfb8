/** The ledger behind {@code idem serve}, for programs that have no driver or no password of its database. */
@NullMarked
package dev.idem.remote;

import org.jspecify.annotations.NullMarked;
