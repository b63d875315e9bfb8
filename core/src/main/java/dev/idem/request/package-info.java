/** The request store: a thin face on the engine for whole requests. */
@NullMarked
package dev.idem.request;

import org.jspecify.annotations.NullMarked;
