/** Idem for the Java SDK of MCP: the tools of a server, guarded in one line. */
@NullMarked
package dev.idem.mcpsdk;

import org.jspecify.annotations.NullMarked;
