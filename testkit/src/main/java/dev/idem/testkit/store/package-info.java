/** The contract of stores. */
@NullMarked
package dev.idem.testkit.store;

import org.jspecify.annotations.NullMarked;
