/** The form of entries, requests and answers between a ledger's server and its clients. */
@NullMarked
package dev.idem.internal.wire;

import org.jspecify.annotations.NullMarked;
