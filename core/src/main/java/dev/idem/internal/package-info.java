/** The engine behind the API: claims, heartbeats, waiting, recovery. Not exported. */
@NullMarked
package dev.idem.internal;

import org.jspecify.annotations.NullMarked;
