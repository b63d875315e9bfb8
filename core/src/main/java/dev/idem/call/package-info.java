/** The words of a guarded call: what an action is given, what its caller gets back, what may be declared about it. */
@NullMarked
package dev.idem.call;

import org.jspecify.annotations.NullMarked;
