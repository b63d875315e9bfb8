/** Random calls from many processes under injected faults, and the verdict on the results. */
@NullMarked
package dev.idem.torture;

import org.jspecify.annotations.NullMarked;
