/**
 * The methods of {@code idem serve}: what the engine does for a call in Java, for programs in other processes. {@link
 * dev.idem.server.Api} is the way in; {@link dev.idem.server.StdioCarrier} carries it over a pipe. docs/protocol.md
 * describes every method.
 */
@NullMarked
package dev.idem.server;

import org.jspecify.annotations.NullMarked;
