/** Judges a run by what was asked, what was answered, what took effect and what the ledger holds in the end. */
@NullMarked
package dev.idem.torture.check;

import org.jspecify.annotations.NullMarked;
