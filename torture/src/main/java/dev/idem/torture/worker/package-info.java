/** The processes that make calls. */
@NullMarked
package dev.idem.torture.worker;

import org.jspecify.annotations.NullMarked;
