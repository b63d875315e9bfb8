/** Actions that hear of the waits of their calls. For other modules of Idem. */
@NullMarked
package dev.idem.internal.wait;

import org.jspecify.annotations.NullMarked;
