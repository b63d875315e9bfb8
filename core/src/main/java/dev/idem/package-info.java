/** What callers use: operations, their outcomes and the engine that makes them happen once. */
@NullMarked
package dev.idem;

import org.jspecify.annotations.NullMarked;
