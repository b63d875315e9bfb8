/** The engine's access to its process: clocks, threads, ids, the log. Not exported. */
@NullMarked
package dev.idem.internal.runtime;

import org.jspecify.annotations.NullMarked;
