/** The ledgers under torture, with the servers they need. */
@NullMarked
package dev.idem.torture.subject;

import org.jspecify.annotations.NullMarked;
