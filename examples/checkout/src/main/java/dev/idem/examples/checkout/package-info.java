/** The checkout agent: it charges, mails and orders, and may be killed at any time. */
@NullMarked
package dev.idem.examples.checkout;

import org.jspecify.annotations.NullMarked;
